# The only place that names versions. Each dependency is the system's package when there is one
# (Debian 12's versions are the reference), else a pinned source archive.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)
find_package(Threads REQUIRED)

# --- engine -------------------------------------------------------------------------------------------
find_package(Eigen3 3.4 QUIET NO_MODULE)
if(NOT TARGET Eigen3::Eigen)
  FetchContent_Declare(eigen GIT_REPOSITORY https://gitlab.com/libeigen/eigen.git GIT_TAG 3.4.0 GIT_SHALLOW ON
                       SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(eigen)
  add_library(headlight_eigen INTERFACE)
  target_include_directories(headlight_eigen SYSTEM INTERFACE ${eigen_SOURCE_DIR})
  add_library(Eigen3::Eigen ALIAS headlight_eigen)
endif()

find_package(nlohmann_json 3.11 QUIET)
if(NOT TARGET nlohmann_json::nlohmann_json)
  FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json.git GIT_TAG v3.11.2 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(nlohmann_json)
endif()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(UTF8PROC QUIET IMPORTED_TARGET libutf8proc)
endif()
if(TARGET PkgConfig::UTF8PROC)
  add_library(headlight_utf8proc ALIAS PkgConfig::UTF8PROC)
else()
  FetchContent_Declare(utf8proc GIT_REPOSITORY https://github.com/JuliaStrings/utf8proc.git GIT_TAG v2.8.0 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(utf8proc)
  add_library(headlight_utf8proc ALIAS utf8proc)
endif()

# Patterns of tokenizer files. Its build offers no headers of its own to others, so they are named here.
if(PkgConfig_FOUND)
  pkg_check_modules(PCRE2 QUIET IMPORTED_TARGET libpcre2-8)
endif()
add_library(headlight_pcre2 INTERFACE)
if(TARGET PkgConfig::PCRE2)
  target_link_libraries(headlight_pcre2 INTERFACE PkgConfig::PCRE2)
else()
  set(PCRE2_SUPPORT_JIT ON CACHE BOOL "" FORCE)
  set(PCRE2_BUILD_PCRE2GREP OFF CACHE BOOL "" FORCE)
  set(PCRE2_BUILD_TESTS OFF CACHE BOOL "" FORCE)
  FetchContent_Declare(pcre2 GIT_REPOSITORY https://github.com/PCRE2Project/pcre2.git GIT_TAG pcre2-10.42 GIT_SHALLOW ON)
  FetchContent_MakeAvailable(pcre2)
  target_include_directories(headlight_pcre2 SYSTEM INTERFACE ${pcre2_BINARY_DIR})
  target_link_libraries(headlight_pcre2 INTERFACE pcre2-8-static)
endif()

# --- tests --------------------------------------------------------------------------------------------
if(HEADLIGHT_TESTS)
  find_package(doctest QUIET)
  if(NOT TARGET doctest::doctest)
    FetchContent_Declare(doctest GIT_REPOSITORY https://github.com/doctest/doctest.git GIT_TAG v2.4.9 GIT_SHALLOW ON)
    FetchContent_MakeAvailable(doctest)
  endif()
endif()

# --- program ------------------------------------------------------------------------------------------
if(HEADLIGHT_APP)
  include(${CMAKE_CURRENT_LIST_DIR}/app_dependencies.cmake)
endif()
