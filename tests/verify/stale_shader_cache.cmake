# Fills the software driver's shader cache at 4 lanes per wave, then verifies the driver at 16 with the same cache.
file(REMOVE_RECURSE ${CACHE_DIRECTORY})
file(MAKE_DIRECTORY ${CACHE_DIRECTORY})

function(verify_at vector_bits result output)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env --unset=MESA_SHADER_CACHE_DISABLE LP_NATIVE_VECTOR_WIDTH=${vector_bits}
            MESA_SHADER_CACHE_DIR=${CACHE_DIRECTORY} ${PROGRAM}
    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  message("--- vector width ${vector_bits}, exit code ${code}:\n${text}")
  set(${result} ${code} PARENT_SCOPE)
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

verify_at(128 narrow_result narrow_output)
if(NOT narrow_result EQUAL 0)
  message(FATAL_ERROR "the driver breaks promises with an empty cache")
endif()
verify_at(512 wide_result wide_output)
if(wide_result EQUAL 0)
  message("this driver's cache tells wave sizes apart: nothing to find")
elseif(NOT wide_result EQUAL 1 OR NOT wide_output MATCHES "wave-size: 128 threads per group: the fullest wave has 4 lanes, not 16")
  message(FATAL_ERROR "the stale cache was not named: expected the promise wave-size to be broken")
endif()
file(REMOVE_RECURSE ${CACHE_DIRECTORY})
