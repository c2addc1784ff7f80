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
exec python3 "$top/app/web/serve.py" "$top/build/web" "$port"
