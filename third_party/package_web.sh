#!/usr/bin/env bash
# The page as a zip for any web server: third_party/package_web.sh OUT VERSION. Its path is the last line.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$1 name=headlight-$2-web
staged=$top/build/package-web

{
  "$top/third_party/install.sh" --web
  cd "$top"
  [ -f build/web-objects/build.ninja ] || cmake --preset web
  cmake --build --preset web --target web --parallel "$(nproc)"
} >&2
rm -rf "$staged"
mkdir -p "$staged/$name"
cp "$top"/build/web/* "$staged/$name/"
cp "$top/app/web/serve.py" "$staged/$name/"
cp "$top/package/web-README.txt" "$staged/$name/README.txt"
cp "$top/LICENSE" "$top/third_party/NOTICES.md" "$staged/$name/"
rm -f "$out/$name.zip"
(cd "$staged" && python3 -m zipfile -c "$out/$name.zip" "$name")
echo "$out/$name.zip"
