# make install: libraries, headers, pkg-config file. The command's own files are installed from cli/.
install(TARGETS paravent_static paravent_shared
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/paravent DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
set(PV_PC_REQUIRES "yaml-0.1 jansson libxxhash nettle")
if(ZLIB_FOUND)
    string(APPEND PV_PC_REQUIRES " zlib")
endif()
if(ZSTD_FOUND)
    string(APPEND PV_PC_REQUIRES " libzstd")
endif()
if(PV_SQLITE AND SQLITE_FOUND)
    string(APPEND PV_PC_REQUIRES " sqlite3")
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/paravent.pc.in ${CMAKE_BINARY_DIR}/paravent.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/paravent.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
