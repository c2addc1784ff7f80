#!/usr/bin/env bash
# headlight-VERSION-windows.zip, cross-built: package_windows.sh OUT VERSION (third_party/package.sh windows calls it).
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$(cd "$1" && pwd) version=$2
sources=$top/build/sources libraries=$top/build/windows-libraries
name=headlight-$version-windows
folder=$top/build/windows-folder/$name
for tool in x86_64-w64-mingw32-g++-posix zip; do
  command -v "$tool" >/dev/null || { echo "package_windows.sh: $tool is missing: apt-get install g++-mingw-w64-x86-64-posix \
libz-mingw-w64-dev zip" >&2; exit 1; }
done

"$top/third_party/install.sh"
"$top/third_party/windows_libraries.sh" "$sources" "$libraries" >&2
build() { # FOLDER OPTIONS…
  local build=$1
  shift
  cmake -S "$top" -B "$build" -G Ninja --toolchain "$top/third_party/windows.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_UNITY_BUILD=ON -DHEADLIGHT_TESTS=OFF -DHEADLIGHT_PORTABLE=ON -DCMAKE_INSTALL_PREFIX="$folder" \
    -DHEADLIGHT_WINDOWS_LIBRARIES="$libraries" -DHEADLIGHT_WINDOWS_SOURCES="$sources" "$@" >&2
  cmake --build "$build" --target headlight --parallel "$(nproc)" >&2
}
rm -rf "$folder"
build "$top/build/windows-avx2" -DHEADLIGHT_WINDOWS_AVX2=ON
build "$top/build/windows"
cmake --install "$top/build/windows" --strip >&2
x86_64-w64-mingw32-strip -o "$folder/headlight-avx2.exe" "$top/build/windows-avx2/bin/headlight.exe"

mkdir -p "$folder/fonts" "$folder/licenses"
for font in Inter-Regular.otf Inter-SemiBold.otf InterDisplay-SemiBold.otf Inter-Italic.otf JetBrainsMono-Regular.ttf \
  DejaVuSans.ttf DejaVuSerifCondensed-Italic.ttf DejaVuSerifCondensed.ttf DejaVuSerifCondensed-Bold.ttf; do
  find /usr/share/fonts -name "$font" -exec cp -L {} "$folder/fonts/" \; -quit
done
for package in fonts-inter fonts-jetbrains-mono fonts-dejavu-core libcairo2 libfreetype6 libpixman-1-0 libpng16-16 zlib1g \
  libglfw3 libimgui-dev libmd4c0 libpcre2-8-0 libutf8proc2 libeigen3-dev nlohmann-json3-dev libcli11-dev libstb-dev; do
  [ -f "/usr/share/doc/$package/copyright" ] && cp -L "/usr/share/doc/$package/copyright" "$folder/licenses/$package.txt"
done
cp "$top/LICENSE" "$folder/licenses/headlight.txt"
cp "$top/third_party/NOTICES.md" "$folder/licenses/"
sed 's/$/\r/' "$top/package/windows-README.txt" >"$folder/README.txt"
rm -f "$out/$name.zip"
(cd "$folder/.." && zip -q -9 -r -X "$out/$name.zip" "$name")
echo "$out/$name.zip"
