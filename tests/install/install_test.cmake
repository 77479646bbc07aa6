# cmake -P script behind the test "install"; see CMakeLists.txt beside it for the variables.
function(run_command name)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${name} failed (${result}):\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect name text)
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "${name}: '${text}' is not in\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run_command("installing" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
# Nothing may depend on where it was installed.
file(RENAME ${WORK}/first ${WORK}/prefix)
set(prefix ${WORK}/prefix)

foreach(file bin/crosslane lib/crosslane/libdxcompiler.so include/crosslane/reduction.hpp
        share/crosslane/hlsl/crosslane/shuffle.hlsli share/crosslane/kernels/scan/scan.hlsl share/doc/crosslane/LICENSE
        share/doc/crosslane/licenses/README.md share/doc/crosslane/licenses/DirectXShaderCompiler.txt)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()

# The installed program runs, and finds the compiler that lies beside it.
run_command("crosslane --version" ${prefix}/bin/crosslane --version)
expect("crosslane --version" "crosslane ${VERSION}")
run_command("crosslane devices" ${CMAKE_COMMAND} -E env --unset=CROSSLANE_DXC --unset=VULKAN_SDK
  XDG_CACHE_HOME=${WORK}/cache ${prefix}/bin/crosslane devices --json)
if(NOT output MATCHES "\"library\": \"[^\"]*libdxcompiler.so\"")
  message(FATAL_ERROR "the installed program finds no compiler:\n${output}")
endif()

run_command("configuring the consumer" ${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR}
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  "-DCMAKE_CXX_FLAGS=${FLAGS}" -DEXPECTED_VERSION=${VERSION})
run_command("building the consumer" ${CMAKE_COMMAND} --build ${WORK}/build)
run_command("the consumer" ${WORK}/build/consumer)
expect("the consumer" "^5050 50\n$")
run_command("the consumer's test" ${WORK}/build/consumer-test)
expect("the consumer's test" "PASSED")
file(REMOVE_RECURSE ${WORK})
