#!/usr/bin/env bash
# Makes what people install or carry away, one kind at a time or all of them:
#
#   third_party/package.sh deb        headlight_VERSION_amd64.deb, for Debian 12, Ubuntu 23.04 and newer
#   third_party/package.sh portable   headlight-VERSION-linux-x86_64.tar.xz, runs from any folder, installs nothing
#   third_party/package.sh windows    headlight-VERSION-windows.zip
#   third_party/package.sh web        headlight-VERSION-web.zip, for a browser
#   third_party/package.sh page       headlight-VERSION-web, the folder that one uploads
#   third_party/package.sh stick      a folder that holds all that can be made here, with a page that says which to open
#
# They lie in build/packages (or $HEADLIGHT_PACKAGES). $HEADLIGHT_MAINTAINER, "Name <address>", is whom the .deb names;
# $HEADLIGHT_PICTURES the web address of assets/pictures, where they are published. $SOURCE_DATE_EPOCH is taken for now.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build/package
out=${HEADLIGHT_PACKAGES:-$top/build/packages}
maintainer=${HEADLIGHT_MAINTAINER:-The Headlight authors <authors@headlight.invalid>}
version=$(sed -n 's/^project(headlight VERSION \([0-9.]*\).*/\1/p' "$top/CMakeLists.txt")
library_path=lib/headlight
mkdir -p "$out"

die() { echo "package.sh: $*" >&2; exit 1; }
needs() { for tool in "$@"; do command -v "$tool" >/dev/null || die "$tool is missing: apt-get install $tool"; done; }

# The program, without the tests, for processors with and without AVX2; then all that is installed, below $1, stripped.
install_below() {
  "$top/third_party/install.sh"
  cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DHEADLIGHT_PORTABLE=ON \
    -DHEADLIGHT_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr -DHEADLIGHT_PICTURES="${HEADLIGHT_PICTURES:-}" \
    -DHEADLIGHT_MAINTAINER="$maintainer" >&2
  cmake --build "$build" --target headlight --parallel "$(nproc)" >&2
  DESTDIR=$1 cmake --install "$build" --strip >&2
  find "$1" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
  chmod 755 "$1/usr/bin/headlight"
}

elf_files() { find "$1" -type f \( -path '*/bin/*' -o -name '*.so*' \) -print0 | xargs -0 -r -n1; }

# --- deb ---------------------------------------------------------------------------------------------------------

deb() {
  needs dpkg-deb dpkg-shlibdeps
  local root=$build/deb package=$out/headlight_${version}_amd64.deb
  rm -rf "$root" && mkdir -p "$root/DEBIAN"
  install_below "$root"
  gzip -9n "$root/usr/share/man/man1/headlight.1" "$root/usr/share/doc/headlight/changelog"
  mkdir -p "$build/debian" # dpkg-shlibdeps wants to stand beside one
  printf 'Source: headlight\n\nPackage: headlight\nArchitecture: amd64\n' >"$build/debian/control"
  local needed
  needed=$(cd "$build" && elf_files "$root" |
    xargs dpkg-shlibdeps -O --warnings=0 -l"$root/usr/$library_path" --ignore-missing-info | sed -n 's/^shlibs:Depends=//p')
  cat >"$root/DEBIAN/control" <<CONTROL
Package: headlight
Version: $version
Architecture: amd64
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $needed, libgl1, libegl-mesa0, libgl1-mesa-dri, fonts-inter, fonts-jetbrains-mono, fonts-dejavu-core, fonts-dejavu-extra
Recommends: zenity | kdialog
Suggests: ffmpeg, python3-torch
Section: education
Priority: optional
Description: see a Transformer think
 Headlight shows a Transformer at work, for classrooms: type a sentence, and
 watch a small model that was trained on your own machine turn it into another.
 Every matrix of the forward pass is there, every number is the model's own,
 and every number can be asked where it came from. It has lessons, trains
 models while you watch, and works offline, in English and Portuguese.
CONTROL
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >&2
  echo "$package"
}

# --- portable ----------------------------------------------------------------------------------------------------

# Every system that draws has these, and its OpenGL belongs to no others: C's own, and OpenGL.
not_ours='^(ld-linux-x86-64|libc|libm|libdl|libpthread|librt|libGL|libEGL|libGLX|libGLdispatch|libOpenGL)\.so'
# These too; a graphics driver may want the system's, which is newer. Ours serve where the system has none.
if_missing='^(libstdc\+\+|libgcc_s|libX11|libXau|libXdmcp|libXext|libXrender|libxcb.*|libbsd|libmd|libz|libexpat)\.so'

copy_libraries() { # of all that lies below $1, what they need
  local libraries=$1/$library_path
  elf_files "$1" | xargs -n1 ldd | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u | while read -r path; do
    local name=${path##*/}
    [ -e "$libraries/$name" ] || [[ $name =~ $not_ours ]] && continue
    if [[ $name =~ $if_missing ]]; then cp -L "$path" "$libraries/if-missing/$name"; else cp -L "$path" "$libraries/$name"; fi
    chmod 644 "$libraries"/{,if-missing/}"$name" 2>/dev/null || true
  done
}

# The license of a library or a font, by the Debian package that it came in.
copy_license() {
  local owner # by name alone: /lib and /usr/lib are one
  owner=$(dpkg-query -S "*/$(basename "$(readlink -f "$1")")" | grep -Ev '^lib(32|x32)' | sed -n '1s/:.*//p')
  [ -n "$owner" ] || die "$1 came in no package: what is its license?"
  cp -L "/usr/share/doc/$owner/copyright" "$2/$owner.txt"
}

copy_fonts() {
  local name path
  for name in Inter-Regular.otf Inter-SemiBold.otf InterDisplay-SemiBold.otf Inter-Italic.otf JetBrainsMono-Regular.ttf \
    DejaVuSans.ttf DejaVuSans-Bold.ttf DejaVuSansMono.ttf DejaVuSerifCondensed-Italic.ttf DejaVuSerif-Italic.ttf \
    DejaVuSerifCondensed.ttf DejaVuSerif.ttf DejaVuSerifCondensed-Bold.ttf DejaVuSerif-Bold.ttf; do
    path=$(find /usr/share/fonts -name "$name" -print -quit)
    [ -n "$path" ] || continue # another is drawn in its place
    cp -L "$path" "$1/"
    copy_license "$path" "$2"
  done
}

# No symbol that a C library older than Debian 12's lacks.
check_c_library() {
  local newest
  newest=$(elf_files "$1" | xargs -n1 objdump -T | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n1)
  [ "$(printf '%s\n' "$newest" GLIBC_2.36 | sort -V | tail -n1)" = GLIBC_2.36 ] || die "$newest is asked for"
}

portable() {
  needs xz objdump
  local root=$build/portable name=headlight-$version-linux-x86_64 libraries licenses library
  local folder=$root/$name package=$out/$name.tar.xz
  libraries=$folder/$library_path licenses=$folder/licenses
  rm -rf "$root" && mkdir -p "$root"
  install_below "$root/installed"
  mv "$root/installed/usr" "$folder"
  rm -rf "$folder"/share/{applications,mime,metainfo,doc}
  mkdir -p "$libraries/if-missing" "$folder/share/headlight/fonts" "$licenses"
  LD_LIBRARY_PATH=$libraries copy_libraries "$folder"
  for library in "$libraries"/*.so* "$libraries"/if-missing/*.so*; do
    [[ $library == */libheadlight_* ]] || copy_license "/usr/lib/x86_64-linux-gnu/${library##*/}" "$licenses"
  done
  copy_fonts "$folder/share/headlight/fonts" "$licenses"
  cp "$top/LICENSE" "$licenses/headlight.txt"
  cp "$top/third_party/NOTICES.md" "$licenses/"
  install -m 755 "$top/package/portable-launcher.sh" "$folder/headlight"
  cp "$top/package/portable-README.txt" "$folder/README.txt"
  check_c_library "$folder"
  tar -C "$root" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | xz -T0 -6 >"$package"
  echo "$package"
}

# --- windows, web: each has a script of its own ------------------------------------------------------------------

windows() { run_apart windows; }
web() { run_apart web; }
page() { run_apart web folder; }
run_apart() {
  local script=$top/third_party/package_$1.sh
  [ -x "$script" ] || die "there is no package for $1 yet: $script is missing"
  "$script" "$out" "$version" "${@:2}"
}

# --- stick -------------------------------------------------------------------------------------------------------

stick() {
  local kind file made=()
  for kind in deb portable windows web; do
    if [ -x "$top/third_party/package_$kind.sh" ] || [ "$kind" = deb ] || [ "$kind" = portable ]; then
      if file=$("$0" "$kind" | tail -n1); then made+=("$file"); else echo "package.sh: the stick does without: $kind" >&2; fi
    fi
  done
  needs python3
  ((${#made[@]} > 0)) || die "nothing could be made"
  python3 "$top/package/stick_page.py" "$out" "$version" "${made[@]}"
  echo "$out/OPEN-THIS.html"
}

case ${1:-} in
  deb | portable | windows | web | page | stick) "$1" ;;
  *) sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
