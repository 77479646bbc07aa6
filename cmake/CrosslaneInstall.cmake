# What `cmake --install` lays down: headers, the layers of the library, the HLSL headers and the kernels' sources, the
# programs with the compiler beside them, and a CMake package, so that find_package(crosslane) gives crosslane::crosslane and
# the functions that compile kernels.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/crosslane)
# What is ours alone. The program looks for the compiler in ../lib/crosslane from where it lies.
set(private_folder lib/crosslane)
set(hlsl_folder ${CMAKE_INSTALL_DATADIR}/crosslane/hlsl)
set(kernels_folder ${CMAKE_INSTALL_DATADIR}/crosslane/kernels)

# The layers below the program's own; those print and parse, and run other people's shaders, which a library has no need
# of.
get_property(layers GLOBAL PROPERTY CROSSLANE_LAYERS)
list(REMOVE_ITEM layers crosslane-cli crosslane-glsl crosslane-job crosslane-measure crosslane-report)

add_library(crosslane-library INTERFACE)
add_library(crosslane::crosslane ALIAS crosslane-library)
set_target_properties(crosslane-library PROPERTIES EXPORT_NAME crosslane)
target_link_libraries(crosslane-library INTERFACE ${layers})

# SPIRV-Tools is installed with us under names of our own, so that it cannot clash with one that a consumer uses.
set(spirv_tools SPIRV-Tools-opt SPIRV-Tools-static)
foreach(layer IN LISTS layers)
  get_target_property(linked ${layer} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS spirv_tools)
    string(REPLACE "$<LINK_ONLY:${library}>"
      "$<BUILD_INTERFACE:$<LINK_ONLY:${library}>>;$<INSTALL_INTERFACE:$<LINK_ONLY:crosslane::${library}>>" linked "${linked}")
  endforeach()
  if(linked)
    set_target_properties(${layer} PROPERTIES INTERFACE_LINK_LIBRARIES "${linked}")
  endif()
endforeach()

install(TARGETS ${layers} crosslane-library EXPORT crosslane ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT crosslane NAMESPACE crosslane:: FILE crosslane-targets.cmake DESTINATION ${package_folder})
foreach(library IN LISTS spirv_tools)
  install(FILES $<TARGET_FILE:${library}> DESTINATION ${private_folder})
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/crosslane-config.cmake.in
  ${PROJECT_BINARY_DIR}/crosslane-config.cmake INSTALL_DESTINATION ${package_folder} PATH_VARS private_folder hlsl_folder kernels_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/crosslane-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/crosslane-config.cmake ${PROJECT_BINARY_DIR}/crosslane-config-version.cmake
  DESTINATION ${package_folder})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/crosslane DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/hlsl/crosslane DESTINATION ${hlsl_folder})
# Those that take functors of a program's own.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/kernels/ DESTINATION ${kernels_folder}
  FILES_MATCHING PATTERN "*.hlsl" PATTERN "*.hlsli" PATTERN reduce EXCLUDE PATTERN verify EXCLUDE PATTERN measure EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/licenses DESTINATION ${CMAKE_INSTALL_DOCDIR})  # those of others

if(CROSSLANE_BUILD_CLI)
  install(TARGETS crosslane RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS crosslane-kernelc EXPORT crosslane RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/CrosslaneKernels.cmake ${CMAKE_CURRENT_LIST_DIR}/CrosslaneFamilies.cmake
    DESTINATION ${package_folder})
  file(REAL_PATH ${DXC_LIBRARY} dxc_file)
  install(PROGRAMS ${dxc_file} DESTINATION ${private_folder} RENAME libdxcompiler.so)
endif()
