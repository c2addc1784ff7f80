# Dependencies of the page: emscripten brings OpenGL ES and the C++ library; what has to be compiled comes as
# sources (third_party/web_sources.sh), what is headers alone from the system.
set(WEB_SOURCES ${PROJECT_SOURCE_DIR}/build/web-sources CACHE PATH "What third_party/web_sources.sh has fetched")
foreach(package imgui utf8proc md4c pcre2 xz-utils)
  if(NOT EXISTS ${WEB_SOURCES}/${package}/.whole)
    message(FATAL_ERROR "The sources of ${package} are missing in ${WEB_SOURCES}: run third_party/install.sh --web")
  endif()
endforeach()

# The system's own include folder holds its C library too: the headers that are wanted get a folder of their own.
set(WEB_HEADERS ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${WEB_HEADERS})
function(headlight_web_headers name)
  foreach(place ${ARGN})
    if(EXISTS ${place})
      file(CREATE_LINK ${place} ${WEB_HEADERS}/${name} SYMBOLIC)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "The headers ${name} are missing (${ARGN}): run third_party/install.sh --web")
endfunction()
headlight_web_headers(nlohmann /usr/include/nlohmann /usr/local/include/nlohmann)
headlight_web_headers(Eigen /usr/include/eigen3/Eigen /usr/local/include/eigen3/Eigen)
headlight_web_headers(stb /usr/include/stb /usr/local/include/stb)
add_library(headlight_web_headers INTERFACE)
target_include_directories(headlight_web_headers SYSTEM INTERFACE ${WEB_HEADERS} ${WEB_HEADERS}/stb)
foreach(name Eigen3::Eigen nlohmann_json::nlohmann_json headlight_stb)
  add_library(${name} ALIAS headlight_web_headers)
endforeach()

find_package(Threads)
if(NOT TARGET Threads::Threads)
  add_library(headlight_no_threads INTERFACE)
  add_library(Threads::Threads ALIAS headlight_no_threads)
endif()

# What comes from elsewhere is compiled small: none of it is where time is spent.
function(headlight_web_library name folder)
  add_library(${name} STATIC ${ARGN})
  target_compile_options(${name} PRIVATE -Os -w)
  target_include_directories(${name} SYSTEM PUBLIC ${folder})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
endfunction()

set(IMGUI ${WEB_SOURCES}/imgui)
headlight_web_library(headlight_imgui ${IMGUI} ${IMGUI}/imgui.cpp ${IMGUI}/imgui_draw.cpp ${IMGUI}/imgui_tables.cpp
  ${IMGUI}/imgui_widgets.cpp ${IMGUI}/misc/cpp/imgui_stdlib.cpp ${IMGUI}/backends/imgui_impl_opengl3.cpp)
target_include_directories(headlight_imgui SYSTEM PUBLIC ${IMGUI}/misc/cpp ${IMGUI}/backends)
target_compile_definitions(headlight_imgui PUBLIC IMGUI_IMPL_OPENGL_ES3)
target_compile_options(headlight_imgui PRIVATE -O2)

headlight_web_library(headlight_utf8proc ${WEB_SOURCES}/utf8proc ${WEB_SOURCES}/utf8proc/utf8proc.c)
target_compile_definitions(headlight_utf8proc PUBLIC UTF8PROC_STATIC)

headlight_web_library(headlight_md4c ${WEB_SOURCES}/md4c/src ${WEB_SOURCES}/md4c/src/md4c.c)

# PCRE2 as it comes, with the tables that it ships; without a just-in-time compiler, which a page cannot have.
set(PCRE2 ${WEB_SOURCES}/pcre2/src)
set(PCRE2_MADE ${CMAKE_BINARY_DIR}/pcre2)
file(MAKE_DIRECTORY ${PCRE2_MADE})
file(COPY_FILE ${PCRE2}/pcre2.h.generic ${PCRE2_MADE}/pcre2.h ONLY_IF_DIFFERENT)
file(COPY_FILE ${PCRE2}/config.h.generic ${PCRE2_MADE}/config.h ONLY_IF_DIFFERENT)
file(COPY_FILE ${PCRE2}/pcre2_chartables.c.dist ${PCRE2_MADE}/pcre2_chartables.c ONLY_IF_DIFFERENT)
set(PCRE2_PARTS auto_possess compile config context convert dfa_match error extuni find_bracket jit_compile maketables match
  match_data newline ord2utf pattern_info script_run serialize string_utils study substitute substring tables ucd
  valid_utf xclass)
list(TRANSFORM PCRE2_PARTS REPLACE "(.+)" "${PCRE2}/pcre2_\\1.c")
headlight_web_library(headlight_pcre2 ${PCRE2_MADE} ${PCRE2_PARTS} ${PCRE2_MADE}/pcre2_chartables.c)
target_include_directories(headlight_pcre2 PRIVATE ${PCRE2})
target_compile_definitions(headlight_pcre2 PUBLIC PCRE2_STATIC PRIVATE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8
  SUPPORT_UNICODE SUPPORT_PCRE2_8)

# The decoder of xz alone, of what the page fetches (app/web/unpack.c).
set(XZ ${WEB_SOURCES}/xz-utils/src/liblzma)
headlight_web_library(headlight_xz_decoder ${XZ}/api
  ${XZ}/check/check.c ${XZ}/check/crc32_fast.c ${XZ}/check/crc32_table.c
  ${XZ}/common/block_decoder.c ${XZ}/common/block_header_decoder.c ${XZ}/common/block_util.c ${XZ}/common/common.c
  ${XZ}/common/filter_common.c ${XZ}/common/filter_decoder.c ${XZ}/common/filter_flags_decoder.c
  ${XZ}/common/index_hash.c ${XZ}/common/stream_buffer_decoder.c ${XZ}/common/stream_decoder.c
  ${XZ}/common/stream_flags_common.c ${XZ}/common/stream_flags_decoder.c ${XZ}/common/vli_decoder.c
  ${XZ}/common/vli_size.c ${XZ}/lz/lz_decoder.c ${XZ}/lzma/lzma_decoder.c ${XZ}/lzma/lzma2_decoder.c)
target_include_directories(headlight_xz_decoder SYSTEM PRIVATE ${XZ} ${XZ}/common ${XZ}/check ${XZ}/lz ${XZ}/lzma
  ${XZ}/rangecoder ${XZ}/simple ${XZ}/delta
  ${XZ}/../common)
target_compile_definitions(headlight_xz_decoder PRIVATE HAVE_STDINT_H HAVE_INTTYPES_H HAVE_STDBOOL_H HAVE_STRING_H HAVE_LIMITS_H
  HAVE_DECODERS HAVE_DECODER_LZMA1 HAVE_DECODER_LZMA2 HAVE_CHECK_CRC32 HAVE_VISIBILITY=0
  LZMA_UNSTABLE NDEBUG)
target_compile_options(headlight_xz_decoder PRIVATE -O2) # some megabytes are waited for
