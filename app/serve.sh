#!/usr/bin/env bash
# Serves the page on this machine and prints its address: app/serve.sh [PORT]. Builds it first where it is missing.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
port=${1:-8000}
if [ ! -f "$top/build/web/index.html" ]; then
  "$top/third_party/install.sh" --web
  (cd "$top" && cmake --preset web && cmake --build --preset web --target web --parallel "$(nproc)") >&2
fi
echo "http://localhost:$port/"
exec python3 -m http.server --bind 127.0.0.1 --directory "$top/build/web" "$port" 2>/dev/null
