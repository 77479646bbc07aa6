# Kernels as data: HLSL compiled to SPIR-V at build time, checked, and embedded in a static library.
#
#   crosslane_kernels(my-kernels FUNCTION my::kernels)      # declares: std::span<const crosslane::Kernel> my::kernels()
#   foreach(type u32 f32)
#     crosslane_kernel(my-kernels SOURCE scale.hlsl NAME scale.${type} DEFINES TYPE=${type})
#   endforeach()
#
# Declare kernels in the folder of crosslane_kernels() or below it. Editing a header rebuilds the kernels that include it.

# Where shaders find #include "crosslane/…"; an installed package says so itself.
if(NOT DEFINED crosslane_HLSL_DIR)
  set(crosslane_HLSL_DIR ${CMAKE_CURRENT_LIST_DIR}/../hlsl)
endif()

# Makes the static library <target>; its table is returned by the C++ function FUNCTION, declared in the program as std::span<const crosslane::Kernel> FUNCTION().
# For Direct3D 12, where it is part of the build, D3D12_WAVE_SIZES <lanes>… compiles every kernel once more for each of these, so that
# pipelines can ask for it; CROSSLANE_WAVE_SIZE_ATTRIBUTE of crosslane/wave_size.hlsli then stands before each [numthreads].
function(crosslane_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 TABLE "" "FUNCTION" "D3D12_WAVE_SIZES")
  foreach(wave_size IN LISTS TABLE_D3D12_WAVE_SIZES)
    if(NOT wave_size MATCHES "^(4|8|16|32|64|128)$")
      message(FATAL_ERROR "crosslane_kernels(${target}): waves have 4, 8, 16, 32, 64 or 128 lanes, not '${wave_size}'")
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY crosslane_kernels.${target}.wave_sizes "${TABLE_D3D12_WAVE_SIZES}")
  if(NOT TABLE_FUNCTION)
    message(FATAL_ERROR "crosslane_kernels(${target}) needs FUNCTION, the C++ function that returns the table")
  endif()
  add_library(${target} STATIC)
  target_compile_features(${target} PUBLIC cxx_std_20)
  if(COMMAND crosslane_target_defaults)  # in the project itself
    crosslane_target_defaults(${target})
    add_dependencies(all-kernels ${target})
  endif()
  target_link_libraries(${target} PUBLIC crosslane::kernel-table)
  set_property(GLOBAL PROPERTY crosslane_kernels.${target}.names "")
  # The rules are made when the folder has been read, since rules and target must belong to one folder. Variables in
  # a deferred call are looked up late, hence the evaluated code.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL crosslane_finish_kernels [[${target}]] [[${TABLE_FUNCTION}]])")
endfunction()

# Adds one variant of one kernel:
#   SOURCE <file>             HLSL, relative to the current folder
#   NAME <name>               how the program finds it: reduce.shuffle.u32.sum
#   DEFINES <A> <B=1>…        macros
#   ENTRY <function>          main
#   PROFILE <profile>         cs_6_2
#   TYPES16                   real 16-bit types
#   INCLUDE_DIRECTORIES <d>…  beside hlsl/ and the source's own folder
#   ARGUMENTS <a>…            handed to the compiler as they are
# and for Direct3D 12, where it is part of the build (CROSSLANE_D3D12):
#   D3D12_PROFILE <profile>   cs_6_0, or cs_6_2 with TYPES16
#   VULKAN_ONLY               is not built for Direct3D 12
function(crosslane_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 KERNEL "TYPES16;VULKAN_ONLY" "SOURCE;NAME;ENTRY;PROFILE;D3D12_PROFILE" "DEFINES;INCLUDE_DIRECTORIES;ARGUMENTS")
  if(NOT KERNEL_SOURCE OR NOT KERNEL_NAME OR KERNEL_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "crosslane_kernel(${target}) needs SOURCE and NAME, and knows no '${KERNEL_UNPARSED_ARGUMENTS}'")
  endif()
  get_property(names GLOBAL PROPERTY crosslane_kernels.${target}.names)
  if(KERNEL_NAME IN_LIST names)
    message(FATAL_ERROR "crosslane_kernel(${target}): there is a kernel named '${KERNEL_NAME}' already")
  endif()
  cmake_path(ABSOLUTE_PATH KERNEL_SOURCE NORMALIZE)
  cmake_path(GET KERNEL_SOURCE PARENT_PATH folder)

  set(options --source ${KERNEL_SOURCE} --include ${crosslane_HLSL_DIR} --include ${folder})
  foreach(directory IN LISTS KERNEL_INCLUDE_DIRECTORIES)
    cmake_path(ABSOLUTE_PATH directory NORMALIZE)
    list(APPEND options --include ${directory})
  endforeach()
  foreach(define IN LISTS KERNEL_DEFINES)
    list(APPEND options --define ${define})
  endforeach()
  if(KERNEL_ENTRY)
    list(APPEND options --entry ${KERNEL_ENTRY})
  endif()
  if(KERNEL_TYPES16)
    list(APPEND options --types16)
  endif()
  foreach(argument IN LISTS KERNEL_ARGUMENTS)
    list(APPEND options --argument=${argument})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY crosslane_kernels.${target}.names ${KERNEL_NAME})
  set_property(GLOBAL PROPERTY crosslane_kernels.${target}.${KERNEL_NAME}.source ${KERNEL_SOURCE})
  set(profile cs_6_2)
  set(d3d12_profile cs_6_0)
  if(KERNEL_TYPES16)
    set(d3d12_profile cs_6_2)
  endif()
  if(KERNEL_PROFILE)
    set(profile ${KERNEL_PROFILE})
    set(d3d12_profile ${KERNEL_PROFILE})
  endif()
  if(KERNEL_D3D12_PROFILE)
    set(d3d12_profile ${KERNEL_D3D12_PROFILE})
  endif()
  if(KERNEL_VULKAN_ONLY)
    set(d3d12_profile "")
  endif()
  set(kernel crosslane_kernels.${target}.${KERNEL_NAME})
  set_property(GLOBAL PROPERTY ${kernel}.options ${options})
  set_property(GLOBAL PROPERTY ${kernel}.profile ${profile})
  set_property(GLOBAL PROPERTY ${kernel}.d3d12_profile ${d3d12_profile})
endfunction()

# Makes the rules of a kernel library; called by crosslane_kernels() once all kernels are declared.
function(crosslane_finish_kernels target function)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target})
  # Another build folder may have compiled them: a build with sanitizers need not do it again.
  if(CROSSLANE_KERNELS_FROM AND (WIN32 OR NOT CROSSLANE_D3D12))
    cmake_path(RELATIVE_PATH directory BASE_DIRECTORY ${PROJECT_BINARY_DIR})
    target_sources(${target} PRIVATE ${CROSSLANE_KERNELS_FROM}/${directory}/table.cpp)
    return()
  endif()
  set(list "")
  set(binaries "")
  set(embed_options "")
  set(compiled ${directory})
  if(CROSSLANE_KERNELS_FROM)
    cmake_path(RELATIVE_PATH directory BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE compiled)
    set(compiled ${CROSSLANE_KERNELS_FROM}/${compiled})
  endif()
  get_property(wave_sizes GLOBAL PROPERTY crosslane_kernels.${target}.wave_sizes)
  if(CROSSLANE_D3D12)
    set(embed_options --dxil ${directory})
    foreach(wave_size IN LISTS wave_sizes)
      list(APPEND embed_options --wave-size ${wave_size})
    endforeach()
  endif()
  get_property(names GLOBAL PROPERTY crosslane_kernels.${target}.names)
  foreach(name IN LISTS names)
    get_property(source GLOBAL PROPERTY crosslane_kernels.${target}.${name}.source)
    get_property(options GLOBAL PROPERTY crosslane_kernels.${target}.${name}.options)
    get_property(profile GLOBAL PROPERTY crosslane_kernels.${target}.${name}.profile)
    get_property(d3d12_profile GLOBAL PROPERTY crosslane_kernels.${target}.${name}.d3d12_profile)
    set(kernelc crosslane::kernelc compile --compiler ${DXC_LIBRARY} ${options})
    set(needs ${source} ${DXC_LIBRARY} $<TARGET_FILE:crosslane::kernelc>)
    if(NOT CROSSLANE_KERNELS_FROM)
      add_custom_command(OUTPUT ${directory}/${name}.spv
        COMMAND ${kernelc} --profile ${profile} --output ${directory}/${name}.spv --depfile ${directory}/${name}.d
        DEPENDS ${needs} DEPFILE ${directory}/${name}.d COMMENT "Compiling kernel ${name}" VERBATIM)
    endif()
    list(APPEND binaries ${compiled}/${name}.spv)
    if(CROSSLANE_D3D12 AND d3d12_profile)
      foreach(wave_size 0 ${wave_sizes})  # 0: any
        set(dxil ${directory}/${name}.dxil)
        set(dxil_options --profile ${d3d12_profile})
        if(NOT wave_size EQUAL 0)
          set(dxil ${directory}/${name}.wave${wave_size}.dxil)
          set(dxil_options --profile cs_6_6 --wave-size ${wave_size})
        endif()
        add_custom_command(OUTPUT ${dxil}
          COMMAND ${kernelc} ${dxil_options} --dxil-of ${compiled}/${name}.spv --output ${dxil} --depfile ${dxil}.d
          DEPENDS ${needs} ${compiled}/${name}.spv DEPFILE ${dxil}.d
          COMMENT "Compiling kernel ${name} for Direct3D 12" VERBATIM)
        list(APPEND binaries ${dxil})
      endforeach()
    endif()
    string(APPEND list "${name}=${compiled}/${name}.spv\n")
  endforeach()
  file(CONFIGURE OUTPUT ${directory}/kernels.txt CONTENT "${list}" @ONLY)
  add_custom_command(OUTPUT ${directory}/table.cpp
    COMMAND crosslane::kernelc embed --function ${function} --output ${directory}/table.cpp --list ${directory}/kernels.txt ${embed_options}
    DEPENDS ${binaries} ${directory}/kernels.txt $<TARGET_FILE:crosslane::kernelc>
    COMMENT "Embedding the kernels of ${target}" VERBATIM)
  target_sources(${target} PRIVATE ${directory}/table.cpp)
endfunction()
