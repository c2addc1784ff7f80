#!/usr/bin/env bash
# Builds what Headlight is linked with on Windows, static, from the sources of Debian's packages:
# windows_libraries.sh SOURCES PREFIX. What is there already stays.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sources=$1 prefix=$2
host=x86_64-w64-mingw32
jobs=$(nproc)
mkdir -p "$sources" "$prefix/made"
sources=$(cd "$sources" && pwd) prefix=$(cd "$prefix" && pwd)
"$here/fetch_sources.sh" "$sources" glfw3 imgui utf8proc md4c pcre2 freetype cairo pixman libpng1.6

once() { # NAME COMMAND…: unless it was done
  local name=$1
  shift
  [ -f "$prefix/made/$name" ] && return
  echo "windows_libraries.sh: $name" >&2
  "$@" >"$prefix/made/$name.log" 2>&1 || { tail -30 "$prefix/made/$name.log" >&2; exit 1; }
  touch "$prefix/made/$name"
}

with_cmake() { # NAME OPTIONS…
  local name=$1 build=$prefix/build/$1
  shift
  cmake -S "$sources/$name" -B "$build" -G Ninja --toolchain "$here/windows.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DHEADLIGHT_WINDOWS_LIBRARIES="$prefix" -DBUILD_SHARED_LIBS=OFF "$@"
  cmake --build "$build" --parallel "$jobs"
  cmake --install "$build"
}

with_configure() { # NAME OPTIONS…
  local name=$1 build=$prefix/build/$1
  shift
  mkdir -p "$build"
  (cd "$build" && PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig:/usr/$host/lib/pkgconfig CC=$host-gcc-posix \
    CPPFLAGS="-I$prefix/include" LDFLAGS="-L$prefix/lib" CFLAGS="-O2 -DCAIRO_WIN32_STATIC_BUILD" \
    "$sources/$name/configure" --host=$host --prefix="$prefix" --disable-shared --enable-static "$@" &&
    make -j"$jobs" ${MAKE_ONLY:+-C $MAKE_ONLY} && make ${MAKE_ONLY:+-C $MAKE_ONLY} install)
}

once glfw3 with_cmake glfw3 -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF
once utf8proc with_cmake utf8proc
once md4c with_cmake md4c -DBUILD_MD2HTML_EXECUTABLE=OFF
once pcre2 with_cmake pcre2 -DPCRE2_SUPPORT_JIT=ON -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF
once libpng1.6 with_configure libpng1.6
once freetype with_cmake freetype -DFT_DISABLE_BZIP2=ON -DFT_DISABLE_HARFBUZZ=ON -DFT_DISABLE_BROTLI=ON
once pixman with_configure pixman --disable-gtk --disable-libpng --disable-openmp
cairo() {
  MAKE_ONLY=src with_configure cairo --enable-pdf=yes --enable-ft=yes --enable-fc=no --enable-svg=no --enable-ps=no \
    --enable-xlib=no --enable-xcb=no --enable-script=no --enable-interpreter=no --enable-gobject=no --enable-trace=no \
    --disable-gtk-doc --disable-valgrind --enable-full-testing=no
  cp "$prefix/build/cairo/src/"*.pc "$prefix/lib/pkgconfig/"
}
once cairo cairo
