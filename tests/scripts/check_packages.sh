#!/usr/bin/env bash
# Checks the packages that third_party/package.sh made, in roots of their own. Needs root, and debootstrap for the first.
#
#   tests/scripts/check_packages.sh deb FILE.deb [ROOT]       ROOT: a fresh Debian 12, made by debootstrap when missing
#   tests/scripts/check_packages.sh portable FILE.tar.xz
#   tests/scripts/check_packages.sh windows FILE.zip          under wine, in a virtual display
set -euo pipefail
scratch=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$mounted"; rm -rf "$scratch"' EXIT
mount_proc() { mount -t proc proc "$1/proc" && mounted=$1/proc; }
fail() { echo "FAILS: $*" >&2; exit 1; }
passed() { echo "passes: $*"; }

script_of_a_picture() { printf 'source the cat\nroom heads\nscreenshot %s 1280 800\n' "$1"; }
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(stat -c %s "$1")" -gt 20000 ]; }

check_deb() {
  local package=$1 root=${2:-$scratch/debian} words
  lintian --fail-on error "$package" || fail "lintian"
  passed "lintian has no error"
  dpkg-deb -x "$package" "$scratch/files"
  desktop-file-validate "$scratch"/files/usr/share/applications/*.desktop || fail desktop-file-validate
  appstreamcli validate --no-net "$scratch"/files/usr/share/metainfo/*.xml || fail appstreamcli
  passed "desktop-file-validate and appstreamcli"
  [ -d "$root" ] || debootstrap --variant=minbase bookworm "$root" >&2
  mount_proc "$root"
  cp "$package" "$root/tmp/headlight.deb"
  chroot "$root" apt-get update -qq
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    /tmp/headlight.deb xvfb xauth libglib2.0-bin shared-mime-info desktop-file-utils >"$scratch/apt.log" 2>&1 || { cat "$scratch/apt.log"; fail install; }
  passed "installs in a fresh Debian 12"
  chroot "$root" useradd -m student 2>/dev/null || true
  as_student() { chroot "$root" su - student -c "$1"; }
  as_student "headlight --check" || fail "headlight --check"
  words=$(as_student "headlight translate --model copy Roma") && [ "$words" = Roma ] || fail "translates: $words"
  as_student "$(declare -f script_of_a_picture); script_of_a_picture a.png >a.txt && headlight render --script a.txt"
  is_png "$root/home/student/a.png" || fail "no picture"
  passed "runs there as a plain user: check, translate, render"
  as_student "(script_of_a_picture() { :; }; printf 'source the cat\nwait 20\nscreenshot w.png\nquit\n' >w.txt;
    timeout 60 xvfb-run -a headlight --script w.txt)" || fail "no window"
  is_png "$root/home/student/w.png" || fail "no picture of the window"
  passed "its window opens under Xvfb"
  local file kind
  for file in a.headlight 05-six-steps.pt.md config.json; do
    as_student "echo '{}' >$file"
    kind=$(as_student "gio info -a standard::content-type $file" | sed -n 's/.*content-type: //p')
    [[ $kind == *x-headlight-* ]] || fail "$file is $kind"
    [[ $(as_student "gio mime $kind") == *io.headlight.Headlight.desktop* ]] || fail "$kind opens elsewhere"
  done
  passed "a session, a lesson and a model's config.json open in it"
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get remove -y -qq headlight >/dev/null 2>&1
  [ -z "$(find "$root"/usr -name '*headlight*' -print -quit)" ] || fail "leaves files behind"
  passed "is removed without a trace"
}

# A root with C's library alone, a shell, and what $@ names with all that those need, below /opengl.
make_bare_root() {
  local root=$scratch/root file
  rm -rf "$root" && mkdir -p "$root"/{bin,lib64,lib/x86_64-linux-gnu,tmp,proc,opengl,usr}
  mkdir "$root/dev" && mknod "$root/dev/null" c 1 3
  cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
  for file in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
    cp -L "/lib/x86_64-linux-gnu/$file" "$root/lib/x86_64-linux-gnu/"
  done
  cp "$(command -v busybox)" "$root/bin/busybox"
  for file in sh dirname readlink ls cat env; do ln -s busybox "$root/bin/$file"; done
  for file in "$@"; do
    cp -L "$file" "$root/opengl/"
    ldd "$file" | awk '$3 ~ /^\// { print $3 }' | grep -Ev '/(libc|libm|libdl|libpthread|librt)\.so' | xargs -r cp -Lnt "$root/opengl/"
  done
  mkdir -p "$root/unpacked" && tar -C "$root/unpacked" -xf "$package"
  mount_proc "$root"
}

check_portable() {
  package=$1
  { ! command -v busybox >/dev/null || ldd "$(command -v busybox)" >/dev/null 2>&1; } && fail "a static busybox is missing: apt-get install busybox-static"
  local libraries=/usr/lib/x86_64-linux-gnu root=$scratch/root here said
  # libEGL by itself is a switch board: there is no driver behind it.
  make_bare_root $libraries/libEGL.so.1
  here=$(cd "$root" && echo unpacked/*)
  said=$(chroot "$root" env -i LD_LIBRARY_PATH=/opengl "/$here/headlight" translate --model copy Roma) || fail "does not run"
  [ "$said" = Roma ] || fail "translates: $said"
  chroot "$root" env -i LD_LIBRARY_PATH=/opengl "/$here/headlight" --check || fail "headlight --check"
  passed "runs with C's library and no other"
  umount "$root/proc" && mounted=

  make_bare_root $libraries/libEGL.so.1 $libraries/libGL.so.1 $libraries/libEGL_mesa.so.0 $libraries/dri/swrast_dri.so
  mkdir -p "$root/usr/share/glvnd/egl_vendor.d" "$root/usr/lib/x86_64-linux-gnu/dri"
  cp /usr/share/glvnd/egl_vendor.d/50_mesa.json "$root/usr/share/glvnd/egl_vendor.d/"
  mv "$root/opengl/swrast_dri.so" "$root/usr/lib/x86_64-linux-gnu/dri/"
  cp "$root/usr/lib/x86_64-linux-gnu/dri/swrast_dri.so" "$root/usr/lib/x86_64-linux-gnu/dri/kms_swrast_dri.so"
  script_of_a_picture /tmp/a.png >"$root/tmp/a.txt"
  chroot "$root" env -i LD_LIBRARY_PATH=/opengl LIBGL_DRIVERS_PATH=/usr/lib/x86_64-linux-gnu/dri LD_DEBUG=libs \
    "/$here/headlight" render --script /tmp/a.txt 2>"$scratch/loaded" || { tail -5 "$scratch/loaded"; fail "does not draw"; }
  is_png "$root/tmp/a.png" || fail "no picture"
  for library in libcairo libfreetype libglfw libmd4c libpcre2-8 libutf8proc libheadlight_engine; do
    grep -q "calling init: /$here/.*/lib/headlight/.*$library" "$scratch/loaded" || fail "$library is not its own"
  done
  passed "draws with C's library and OpenGL, and else its own"
}

check_windows() {
  local package=$1 folder=$scratch/"pasta ção Ω" program words
  mkdir "$folder" && unzip -q "$package" -d "$folder"
  cd "$folder"/headlight-*
  for program in headlight.exe headlight-avx2.exe; do
    x86_64-w64-mingw32-objdump -p $program | sed -n 's/.*DLL Name: //p' | grep -viE \
      '^(advapi32|gdi32|imm32|kernel32|msimg32|msvcrt|ole32|psapi|shell32|user32|opengl32)\.dll$' && fail "$program wants more than Windows"
  done
  passed "wants nothing but Windows"
  export WINEPREFIX=$scratch/wine WINEDEBUG=-all LC_ALL=C.UTF-8
  local display=:$((RANDOM % 1000 + 100))
  Xvfb "$display" -screen 0 1400x900x24 >/dev/null 2>&1 &
  local server=$!
  export DISPLAY=$display
  wine ./headlight.exe --check | tr -d '\r' || fail "headlight --check"
  words=$(wine ./headlight.exe translate --model copy "atenção" | tr -d '\r') && [ "$words" = "atenção" ] || fail "translates: $words"
  wine ./headlight.exe train --task copy --steps 100 --report-every 100 --out "modelo ção" >train.txt || fail "does not train"
  grep -q '"step":100' train.txt && [ -s "modelo ção/model.safetensors" ] || fail "trained no 100 steps"
  passed "checks, translates, trains 100 steps, in names of any letters"
  printf 'source Roma\nscreenshot figura_ção.png 1280 800\nexport canvas ção.pdf\n' >r.txt
  wine ./headlight.exe render --script r.txt && is_png figura_ção.png && [ -s ção.pdf ] || fail "no picture"
  printf 'source Roma\nwait 20\nscreenshot janela.png\nwait 5\nquit\n' >w.txt
  timeout 120 wine ./headlight.exe --model copy --script w.txt || fail "no window"
  is_png janela.png || fail "no picture of the window"
  [ -n "$(find "$WINEPREFIX/drive_c/users" -path '*AppData/Roaming/Headlight/settings.json')" ] || fail "no settings in %APPDATA%"
  passed "writes pictures, opens its window, remembers in %APPDATA%"
  wineserver -k || true
  kill $server
}

case ${1:-} in
  deb | portable | windows) kind=$1; shift; "check_$kind" "$@" ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
