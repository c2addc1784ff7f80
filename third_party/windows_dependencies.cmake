# What the program is linked with on Windows: all static, as third_party/windows_libraries.sh made it from the sources of
# Debian's packages. Headers alone (Eigen, JSON, CLI11, stb) are the system's.
set(from ${HEADLIGHT_WINDOWS_LIBRARIES})
find_package(Threads REQUIRED)
add_link_options(-static) # one file, which wants nothing but Windows
add_link_options(-Wl,--wrap=mbrtowc) # engine/io/windows_files.cpp has it

function(headlight_windows_library name) # NAME DEFINITIONS… LINKS…: -D… and the rest
  add_library(${name} INTERFACE)
  target_include_directories(${name} SYSTEM INTERFACE ${from}/include)
  foreach(word IN LISTS ARGN)
    if(word MATCHES "^-D")
      target_compile_options(${name} INTERFACE ${word})
    else()
      target_link_libraries(${name} INTERFACE ${word})
    endif()
  endforeach()
endfunction()

function(headlight_headers name file) # of the system: beside them lie those of its C library, which are not ours
  find_path(${name}_headers ${file} PATHS /usr/include PATH_SUFFIXES ${ARGN} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
    REQUIRED)
  get_filename_component(top ${file} DIRECTORY)
  set(apart ${CMAKE_BINARY_DIR}/headers/${name})
  file(MAKE_DIRECTORY ${apart})
  if(top)
    file(CREATE_LINK ${${name}_headers}/${top} ${apart}/${top} SYMBOLIC)
  else()
    file(GLOB files ${${name}_headers}/*)
    foreach(one IN LISTS files)
      get_filename_component(leaf ${one} NAME)
      file(CREATE_LINK ${one} ${apart}/${leaf} SYMBOLIC)
    endforeach()
  endif()
  add_library(headlight_${name} INTERFACE)
  target_include_directories(headlight_${name} SYSTEM INTERFACE ${apart})
endfunction()

headlight_headers(eigen Eigen/Core eigen3)
add_library(Eigen3::Eigen ALIAS headlight_eigen)
headlight_headers(json nlohmann/json.hpp)
add_library(nlohmann_json::nlohmann_json ALIAS headlight_json)
headlight_headers(cli11 CLI/CLI.hpp)
add_library(CLI11::CLI11 ALIAS headlight_cli11)
headlight_headers(stb stb_image_write.h stb)

headlight_windows_library(headlight_utf8proc -DUTF8PROC_STATIC ${from}/lib/libutf8proc.a)
headlight_windows_library(headlight_pcre2 -DPCRE2_STATIC ${from}/lib/libpcre2-8.a)
headlight_windows_library(headlight_md4c ${from}/lib/libmd4c.a)
headlight_windows_library(glfw ${from}/lib/libglfw3.a opengl32 gdi32)
headlight_windows_library(headlight_cairo -DCAIRO_WIN32_STATIC_BUILD ${from}/lib/libcairo.a ${from}/lib/libpixman-1.a
  ${from}/lib/libfreetype.a ${from}/lib/libpng.a z gdi32 msimg32 ole32 ssp)
target_include_directories(headlight_cairo SYSTEM INTERFACE ${from}/include/cairo ${from}/include/freetype2)

set(imgui ${HEADLIGHT_WINDOWS_SOURCES}/imgui)
add_library(headlight_imgui STATIC ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
  ${imgui}/imgui_widgets.cpp ${imgui}/misc/cpp/imgui_stdlib.cpp ${imgui}/backends/imgui_impl_opengl3.cpp)
target_include_directories(headlight_imgui SYSTEM PUBLIC ${imgui} ${imgui}/misc/cpp ${imgui}/backends)
target_link_libraries(headlight_imgui PUBLIC glfw imm32)

find_program(GLAD_EXECUTABLE glad REQUIRED)
set(GLAD_DIR ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${GLAD_DIR}/src/gl.c ${GLAD_DIR}/include/glad/gl.h
  COMMAND ${GLAD_EXECUTABLE} --api gl:core=3.3 --extensions "" --reproducible --quiet --out-path ${GLAD_DIR} c
  COMMENT "Generating the OpenGL 3.3 core loader" VERBATIM)
add_library(headlight_glad STATIC ${GLAD_DIR}/src/gl.c)
target_include_directories(headlight_glad SYSTEM PUBLIC ${GLAD_DIR}/include)
