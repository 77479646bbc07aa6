# What the build takes from elsewhere; docs/dependencies.md says why each.
set(CROSSLANE_DEPS ${PROJECT_SOURCE_DIR}/.deps CACHE PATH "Where scripts/fetch-*.sh put what they fetched")
list(APPEND CMAKE_PREFIX_PATH ${CROSSLANE_DEPS}/spirv-tools)

# Direct3D 12: headers alone, since d3d12.dll and libvkd3d are opened at run time. On Linux the stubs of Windows' own headers
# come from the same package.
if(CROSSLANE_D3D12)
  find_path(D3D12_INCLUDE_DIR directx/d3d12.h REQUIRED)
  set(D3D12_INCLUDE_DIRS ${D3D12_INCLUDE_DIR})
  if(NOT WIN32)
    find_path(D3D12_STUBS_DIR wsl/stubs/basetsd.h REQUIRED)
    list(APPEND D3D12_INCLUDE_DIRS ${D3D12_STUBS_DIR}/wsl/stubs)
  endif()
endif()

# Built for Windows (scripts/build-windows.sh), it is the library with Direct3D 12 that is wanted, and its kernels come from
# another build: it needs headers alone.
if(WIN32)
  find_path(CROSSLANE_HEADERS fmt/format.h REQUIRED)
  add_library(tl-headers INTERFACE)
  add_library(tl::expected ALIAS tl-headers)
  add_library(fmt-headers INTERFACE)
  add_library(fmt::fmt ALIAS fmt-headers)
  target_include_directories(tl-headers SYSTEM INTERFACE ${CROSSLANE_HEADERS})
  target_include_directories(fmt-headers SYSTEM INTERFACE ${CROSSLANE_HEADERS})
  target_compile_definitions(fmt-headers INTERFACE FMT_HEADER_ONLY=1)
  return()
endif()

find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(hwy REQUIRED)
find_package(TBB REQUIRED)
if(CROSSLANE_PORTABLE)  # Debian has no fmt archive: take it into our own objects, and need no shared library of it
  set_target_properties(fmt::fmt PROPERTIES INTERFACE_COMPILE_DEFINITIONS FMT_HEADER_ONLY=1 INTERFACE_LINK_OPTIONS LINKER:--as-needed)
endif()
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_library(SPNG_LIBRARY spng REQUIRED)  # its header lies beside those of the system
find_path(VULKAN_INCLUDE_DIR vulkan/vulkan_raii.hpp HINTS $ENV{VULKAN_SDK}/include REQUIRED)


find_package(SPIRV-Tools CONFIG PATHS ${CROSSLANE_DEPS}/spirv-tools NO_DEFAULT_PATH)
find_package(SPIRV-Tools-opt CONFIG PATHS ${CROSSLANE_DEPS}/spirv-tools NO_DEFAULT_PATH)
if(NOT SPIRV-Tools_FOUND OR NOT SPIRV-Tools-opt_FOUND)
  message(FATAL_ERROR "SPIRV-Tools 2025.5 not found in ${CROSSLANE_DEPS}/spirv-tools: run scripts/fetch-spirv-tools.sh")
endif()

# The compiler: the headers to talk to it and the library that kernels are built with. The same order as at run time:
# CROSSLANE_DXC (a file or a folder), a Vulkan SDK, the system, the fetched one.
find_path(DXC_INCLUDE_DIR NAMES dxcapi.h PATH_SUFFIXES dxc
  HINTS $ENV{VULKAN_SDK}/include PATHS ${CROSSLANE_DEPS}/dxc/include)
if(NOT "$ENV{CROSSLANE_DXC}" STREQUAL "")
  foreach(candidate $ENV{CROSSLANE_DXC} $ENV{CROSSLANE_DXC}/libdxcompiler.so $ENV{CROSSLANE_DXC}/lib/libdxcompiler.so)
    if(EXISTS ${candidate} AND NOT IS_DIRECTORY ${candidate})
      set(DXC_LIBRARY ${candidate} CACHE FILEPATH "The compiler that kernels are built with" FORCE)
      break()
    endif()
  endforeach()
  if(NOT DXC_LIBRARY STREQUAL candidate)
    message(FATAL_ERROR "CROSSLANE_DXC is '$ENV{CROSSLANE_DXC}', where there is no DirectX Shader Compiler library: "
      "set it to libdxcompiler.so or to the folder that holds it, or unset it")
  endif()
else()
  find_library(DXC_LIBRARY NAMES libdxcompiler.so HINTS $ENV{VULKAN_SDK}/lib PATHS ${CROSSLANE_DEPS}/dxc/lib)
endif()
if(NOT DXC_INCLUDE_DIR OR NOT DXC_LIBRARY)
  message(FATAL_ERROR "The DirectX Shader Compiler (dxcapi.h, libdxcompiler.so) was not found: "
    "run scripts/fetch-dxc.sh, or set VULKAN_SDK or CROSSLANE_DXC")
endif()
