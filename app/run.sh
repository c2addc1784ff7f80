#!/usr/bin/env bash
# Builds Headlight if needed and runs it with the given arguments: app/run.sh, app/run.sh translate --help, …
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build/release

"$top/third_party/install.sh"
{ # the program's own output stays apart from the build's
  [ -f "$build/build.ninja" ] || (cd "$top" && cmake --preset release)
  cmake --build "$build" --target headlight --parallel "$(nproc)"
} >&2
exec "$build/bin/headlight" "$@"
