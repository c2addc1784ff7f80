#!/usr/bin/env bash
# The page for any web server: third_party/package_web.sh OUT VERSION [folder]. A zip, or with `folder` what one uploads.
# Its path is the last line.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$1 name=headlight-$2-web

{
  "$top/third_party/install.sh" --web
  cd "$top"
  [ -f build/web-objects/build.ninja ] || cmake --preset web
  cmake --build --preset web --target web --parallel "$(nproc)"
} >&2
rm -rf "${out:?}/$name" "$out/$name.zip"
cp -r "$top/build/web" "$out/$name"
[ "${3:-}" != folder ] || { echo "$out/$name"; exit; }
(cd "$out" && python3 -m zipfile -c "$name.zip" "$name" && rm -rf "$name")
echo "$out/$name.zip"
