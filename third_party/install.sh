#!/usr/bin/env bash
# Installs what Headlight needs to be built, run and tested, if it is missing: packages of Debian 12 and its
# relatives. On any other system it says what is lacking. Quick when there is nothing to do.
#   --web       what the page is made with: emscripten, and sources of what it is linked with
#   --chromium, --firefox  besides, what the page is tested in
#   --fuzz  besides what the program needs, clang, whose libFuzzer guides the fuzzers
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

packages=(
  build-essential cmake ninja-build pkg-config                        # building
  libeigen3-dev nlohmann-json3-dev libutf8proc-dev libpcre2-dev libcli11-dev  # engine and terminal
  libmd4c-dev                                                         # lessons
  libimgui-dev libglfw3-dev libstb-dev python3-glad                   # window
  libcairo2-dev                                                       # pictures in PDF
  libgl-dev libegl-dev libgl1 libegl1 libegl-mesa0 libgl1-mesa-dri    # OpenGL, with and without a display
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-dejavu-extra
  doctest-dev                                                         # tests
)

for wish in "$@"; do
  case $wish in
  --web)
    packages=(cmake ninja-build emscripten nodejs xz-utils python3 dpkg-dev debian-archive-keyring
      libeigen3-dev nlohmann-json3-dev libstb-dev fonttools fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-dejavu-extra)
    ;;
  --fuzz) packages+=(clang) ;;
  --chromium) packages+=(chromium npm) ;;
  --firefox) packages+=(firefox-esr xvfb xauth libgl1-mesa-dri npm) ;; # it draws on a screen, which nobody sees
  *)
    echo "install.sh: $wish is not --web, --chromium, --firefox or --fuzz" >&2
    exit 2
    ;;
  esac
done
# Who has a Node.js of another origin has npm with it, and Debian's would not stand beside it.
if command -v npm >/dev/null; then
  for i in "${!packages[@]}"; do
    case ${packages[i]} in npm) unset "packages[i]" ;; esac
  done
fi

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  installed=$(dpkg-query -W -f='${Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  missing=()
  for package in "${packages[@]}"; do
    grep -qx "install ok installed $package" <<<"$installed" || missing+=("$package")
  done
  if ((${#missing[@]} > 0)); then
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
      if ! command -v sudo >/dev/null; then
        echo "install.sh: these packages are missing, and only root can install them: ${missing[*]}" >&2
        echo "install.sh: run as root: apt-get install ${missing[*]}" >&2
        exit 1
      fi
      as_root=(sudo)
    fi
    echo "install.sh: installing ${missing[*]}" >&2
    "${as_root[@]}" apt-get update -qq >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      "${missing[@]}" >&2
  fi
fi

if [[ " $* " == *" --web "* ]]; then
  if ! command -v em++ >/dev/null || ! command -v apt-get >/dev/null; then
    echo "install.sh: the page is made with Debian's emscripten, and sources from its archive" >&2
    exit 1
  fi
  exec "$here/web_sources.sh" "$here/../build/web-sources"
fi

# What no package is fetched for at build time. (Eigen, GLFW, Dear ImGui and the other libraries are: CMake
# downloads the pinned sources of those that the system lacks.)
lacking=()
command -v c++ >/dev/null || lacking+=("a C++20 compiler (GCC 12 or Clang 15, or newer)")
command -v ninja >/dev/null || lacking+=("Ninja")
command -v pkg-config >/dev/null || lacking+=("pkg-config")
pkg-config --exists cairo cairo-ft cairo-pdf 2>/dev/null || lacking+=("cairo with FreeType (libcairo2-dev)")
command -v glad >/dev/null || lacking+=("glad 2 (pip install glad2)")
if ! command -v cmake >/dev/null; then
  lacking+=("CMake 3.25 or newer")
else
  version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ] ||
    lacking+=("CMake 3.25 or newer (this one is $version)")
fi
if ((${#lacking[@]} > 0)); then
  echo "install.sh: Headlight cannot be built yet. Lacking on this system:" >&2
  printf '  - %s\n' "${lacking[@]}" >&2
  exit 1
fi
