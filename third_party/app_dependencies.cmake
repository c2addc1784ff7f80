# Dependencies of the program: window, drawing, fonts, pictures, command line.
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp) # Debian ships the headers without CMake's files
if(CLI11_INCLUDE_DIR)
  add_library(CLI11 INTERFACE)
  add_library(CLI11::CLI11 ALIAS CLI11)
  target_include_directories(CLI11 SYSTEM INTERFACE ${CLI11_INCLUDE_DIR})
else()
  FetchContent_Declare(cli11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git GIT_TAG v2.3.2 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(cli11)
endif()

if(PkgConfig_FOUND)
  pkg_check_modules(MD4C QUIET IMPORTED_TARGET md4c)
endif()
if(TARGET PkgConfig::MD4C)
  add_library(headlight_md4c ALIAS PkgConfig::MD4C)
else()
  FetchContent_Declare(md4c GIT_REPOSITORY https://github.com/mity/md4c.git GIT_TAG release-0.4.8 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(md4c)
  add_library(headlight_md4c ALIAS md4c)
endif()

find_package(glfw3 3.3 QUIET)
if(NOT TARGET glfw)
  set(GLFW_BUILD_EXAMPLES OFF)
  set(GLFW_BUILD_TESTS OFF)
  set(GLFW_BUILD_DOCS OFF)
  FetchContent_Declare(glfw GIT_REPOSITORY https://github.com/glfw/glfw.git GIT_TAG 3.3.8 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(glfw)
endif()

find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)

if(PkgConfig_FOUND)
  pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui)
endif()
if(TARGET PkgConfig::IMGUI)
  add_library(headlight_imgui INTERFACE)
  target_link_libraries(headlight_imgui INTERFACE PkgConfig::IMGUI glfw)
  find_path(IMGUI_BACKENDS_DIR imgui_impl_opengl3.h PATH_SUFFIXES imgui/backends REQUIRED)
  target_include_directories(headlight_imgui SYSTEM INTERFACE ${IMGUI_BACKENDS_DIR})
else()
  FetchContent_Declare(imgui GIT_REPOSITORY https://github.com/ocornut/imgui.git GIT_TAG v1.90.1 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(imgui)
  add_library(headlight_imgui STATIC
    ${imgui_SOURCE_DIR}/imgui.cpp ${imgui_SOURCE_DIR}/imgui_draw.cpp ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp
    ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
    ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
  target_include_directories(headlight_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR}
    ${imgui_SOURCE_DIR}/misc/cpp ${imgui_SOURCE_DIR}/backends)
  target_link_libraries(headlight_imgui PUBLIC glfw ${CMAKE_DL_LIBS})
endif()

# stb: headers only; the one translation unit that holds the implementation defines its macros.
find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb)
if(NOT STB_INCLUDE_DIR)
  FetchContent_Declare(stb GIT_REPOSITORY https://github.com/nothings/stb.git
                       GIT_TAG 5736b15f7ea0ffb08dd38af21067c314d6a3aae9)
  FetchContent_MakeAvailable(stb)
  set(STB_INCLUDE_DIR ${stb_SOURCE_DIR})
endif()
add_library(headlight_stb INTERFACE)
target_include_directories(headlight_stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})

# Pictures for papers and slides: PDF, and text as the window's own font files draw it.
if(PkgConfig_FOUND)
  pkg_check_modules(CAIRO QUIET IMPORTED_TARGET cairo cairo-ft cairo-pdf freetype2)
endif()
if(NOT TARGET PkgConfig::CAIRO)
  message(FATAL_ERROR "cairo with FreeType is missing (Debian: libcairo2-dev); third_party/install.sh installs it")
endif()
add_library(headlight_cairo INTERFACE)
target_link_libraries(headlight_cairo INTERFACE PkgConfig::CAIRO)

# glad 2 is a generator: the loader is made at build time, the same bytes every time.
find_program(GLAD_EXECUTABLE glad REQUIRED)
set(GLAD_DIR ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${GLAD_DIR}/src/gl.c ${GLAD_DIR}/include/glad/gl.h
  COMMAND ${GLAD_EXECUTABLE} --api gl:core=3.3 --extensions "" --reproducible --quiet --out-path ${GLAD_DIR} c
  COMMENT "Generating the OpenGL 3.3 core loader" VERBATIM)
add_library(headlight_glad STATIC ${GLAD_DIR}/src/gl.c)
target_include_directories(headlight_glad SYSTEM PUBLIC ${GLAD_DIR}/include)
