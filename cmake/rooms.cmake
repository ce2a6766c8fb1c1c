# libparavent: every room of src, compiled once, as a static and a shared library. Which room may include which is
# checked by scripts/check-layers.
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*/*.c)

# The styles and scripts of pages become C. Whoever compiles the rooms compiles it, too, after PV_ASSETS was made.
set(PV_ASSETS ${CMAKE_BINARY_DIR}/assets.c)
file(GLOB assets CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/report/assets/*)
add_custom_command(OUTPUT ${PV_ASSETS}
                   COMMAND ${CMAKE_COMMAND} -D FOLDER=${CMAKE_SOURCE_DIR}/src/report/assets -D OUTPUT=${PV_ASSETS}
                           -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
                   DEPENDS ${assets} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake VERBATIM)
add_custom_target(paravent_assets DEPENDS ${PV_ASSETS})

add_library(paravent_objects OBJECT ${sources} ${PV_ASSETS})
add_dependencies(paravent_objects paravent_assets)
target_include_directories(paravent_objects PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(paravent_objects PUBLIC ${PV_LINKED})
# The shared library exports what has PV_API and nothing else.
set_target_properties(paravent_objects PROPERTIES C_VISIBILITY_PRESET hidden)
add_library(paravent_static STATIC $<TARGET_OBJECTS:paravent_objects>)
add_library(paravent_shared SHARED $<TARGET_OBJECTS:paravent_objects>)
foreach(library paravent_static paravent_shared)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME paravent)
    target_include_directories(${library} INTERFACE ${CMAKE_SOURCE_DIR}/include)
    target_link_libraries(${library} PUBLIC ${PV_LINKED})
endforeach()
# Until 1.0 a new minor version may change the interface, so it is part of the library's name.
set(PV_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(paravent_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PV_SOVERSION})

# What sees the rooms from inside: tests, benchmarks.
add_library(paravent_inside INTERFACE)
target_include_directories(paravent_inside INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_link_libraries(paravent_inside INTERFACE paravent_static)
