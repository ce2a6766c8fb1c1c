# Runs PROGRAM in the empty folder WORK on the plan of DATA, and compares what it prints with the file EXPECTED. A program that
# releases something must leave a table that PARAVENT checks.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${PROGRAM} ${DATA}/plan.yaml WORKING_DIRECTORY ${WORK}
                OUTPUT_VARIABLE printed RESULT_VARIABLE result)
file(READ ${EXPECTED} expected)
if(NOT result EQUAL 0 OR NOT printed STREQUAL expected)
    message(FATAL_ERROR "exit ${result}, printed:\n${printed}\nexpected:\n${expected}")
endif()
if(EXISTS ${WORK}/out.csv)
    execute_process(COMMAND ${PARAVENT} check ${WORK}/out.csv OUTPUT_QUIET RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the release does not hold")
    endif()
endif()
