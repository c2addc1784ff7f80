#!/usr/bin/env bash
# Builds the page if needed, serves it on this machine and prints its address: app/serve.sh [PORT].
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
port=${1:-8000}

"$top/third_party/install.sh" --web
(
  cd "$top"
  [ -f build/web-objects/build.ninja ] || cmake --preset web
  cmake --build --preset web --target web --parallel "$(nproc)"
) >&2
echo "http://localhost:$port/"
exec python3 -m http.server --bind 127.0.0.1 --directory "$top/build/web" "$port" 2>/dev/null
