# cmake -D FOLDER=... -D OUTPUT=... -P embed.cmake: makes C of the styles and scripts of a folder.
#
# NAME.css becomes `const pv_asset pv_i_NAME_css` (report/assets.h), NAME.js `pv_i_NAME_js`. Files are written for
# readers, pages are sent without what only readers need:
#     comments that begin a line, and empty lines, are left out;
#     the indentation of a line is left out, and in styles an indented line continues the one before it.
# Nothing but CMake is needed, so that the library builds wherever CMake and a compiler are.
file(GLOB assets ${FOLDER}/*.css ${FOLDER}/*.js)
list(SORT assets)
set(code "/* Made by cmake/embed.cmake from the files of src/report/assets. */\n#include \"report/assets.h\"\n")
foreach(asset IN LISTS assets)
    get_filename_component(name ${asset} NAME)
    string(REPLACE "." "_" name ${name})
    file(READ ${asset} text)
    set(text "\n${text}")
    string(REGEX REPLACE "\n[ ]*/[*]([^*]|[*]+[^*/])*[*]+/" "" text "${text}")
    if(asset MATCHES "[.]css$")
        string(REGEX REPLACE "\n[ ]+" "" text "${text}")
    else()
        string(REGEX REPLACE "\n[ ]+" "\n" text "${text}")
    endif()
    string(REGEX REPLACE "\n\n+" "\n" text "${text}")
    string(REGEX REPLACE "^\n" "" text "${text}")
    string(LENGTH "${text}" size)
    string(HEX "${text}" bytes)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}") # 16 bytes a line
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND code "\nstatic const char ${name}[] = {\n${bytes}0};\n"
           "const pv_asset pv_i_${name} = {${name}, ${size}};\n")
endforeach()
file(WRITE ${OUTPUT} "${code}")
