#!/usr/bin/env bash
# Builds everything and runs every test; arguments go to CTest: tests/run.sh -R ops
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$top/build/release

"$top/third_party/install.sh"
[ -f "$build/build.ninja" ] || (cd "$top" && cmake --preset release)
# No more at once than there are processors: beside one another they share its caches.
cmake --build "$build" --parallel "$(nproc)"
# One more than there are processors: some tests wait for a trainer, or for a clock.
exec ctest --test-dir "$build" --output-on-failure --parallel "$(($(nproc) + 1))" "$@"
