#!/usr/bin/env bash
# Builds the page and drives it in Chromium and Firefox as a person would: types, steps, asks, trains, follows a link.
# It takes some minutes and installs two browsers, so it is no part of tests/run.sh. ONLY=window, touch, threads, line, reader,
# careful or firefox does a part; ONLY=open, which CI does, compiles the page once, without threads, and opens it in
# Chromium.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
only=${ONLY:-}

"$top/third_party/install.sh"
"$top/third_party/install.sh" --chromium
[[ -n $only && $only != firefox ]] || "$top/third_party/install.sh" --firefox
"$top/third_party/install.sh" --web
cd "$top"
[ -f build/release/build.ninja ] || cmake --preset release
cmake --build build/release --target headlight --parallel "$(nproc)"
page=web
[ "$only" != open ] || page=web_plain
cmake --preset web
cmake --build --preset web --target "$page" --parallel "$(nproc)"
mkdir -p build/web-test
cp tests/web/*.js tests/web/package.json build/web-test/
cd build/web-test
[ -d node_modules/puppeteer-core ] || npm install --silent --no-audit --no-fund
walk=(node test.js "$top/build/${page/_/-}" "$top/build/release/bin/headlight")
[[ -z $only || $only == firefox ]] || exec "${walk[@]}"
exec xvfb-run -a -s "-screen 0 1400x1000x24" env LIBGL_ALWAYS_SOFTWARE=1 "${walk[@]}"
