# How every target of the project is compiled.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(CROSSLANE_SANITIZE)
  add_compile_options(-fsanitize=${CROSSLANE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${CROSSLANE_SANITIZE})
endif()
if(CROSSLANE_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "The fuzzers need libFuzzer, which comes with Clang: configure with -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(HWY_COMPILE_ONLY_STATIC)  # handlers once, not once per instruction set
endif()
if(CROSSLANE_PORTABLE)
  add_link_options(-static-libstdc++ -static-libgcc)
endif()

# Standard, warnings: the same for every target.
function(crosslane_target_defaults target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${CROSSLANE_WARNINGS_AS_ERRORS}>:-Werror>)
  get_target_property(type ${target} TYPE)
  if(CROSSLANE_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code misleads GCC 12: it warns of what fmt::join does within its own bounds.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow)
  endif()
  if(type STREQUAL "EXECUTABLE" AND CROSSLANE_SANITIZE MATCHES "address")
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/sanitizer_options.cpp)
  endif()
endfunction()

# One layer of the library: crosslane_layer(<name> SOURCES … DEPENDS <layers or libraries>…).
# Layers are separate archives, so that a layer that must not know another (the wave machine knows no graphics API) cannot.
function(crosslane_layer name)
  cmake_parse_arguments(LAYER "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(crosslane-${name} STATIC ${LAYER_SOURCES})
  add_library(crosslane::${name} ALIAS crosslane-${name})
  set_target_properties(crosslane-${name} PROPERTIES EXPORT_NAME ${name})
  crosslane_target_defaults(crosslane-${name})
  target_include_directories(crosslane-${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
           $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(crosslane-${name} PUBLIC ${LAYER_DEPENDS} PRIVATE ${LAYER_PRIVATE_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY CROSSLANE_LAYERS crosslane-${name})
endfunction()
