# make install: libraries, headers, pkg-config file, CMake package. The command's own files are installed from cli/.
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

# find_package(paravent) gives the target paravent::paravent, the shared library.
include(CMakePackageConfigHelpers)
set(PV_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/paravent)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/paravent-config.cmake.in
    ${CMAKE_BINARY_DIR}/paravent-config.cmake INSTALL_DESTINATION ${PV_PACKAGE_DIR}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# Until 1.0 a new minor version may change the interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/paravent-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/paravent-config.cmake ${CMAKE_BINARY_DIR}/paravent-config-version.cmake
        DESTINATION ${PV_PACKAGE_DIR})
