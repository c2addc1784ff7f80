#!/usr/bin/env bash
# Builds the page and drives it in Chromium and Firefox as a person would: types, steps, asks, trains, follows a link.
# It takes some minutes and installs two browsers, so it is no part of tests/run.sh: CI runs it where
# HEADLIGHT_WEB_TEST=1. ONLY=window, touch, threads or firefox does a part.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

"$top/third_party/install.sh"
"$top/third_party/install.sh" --web --browsers
cd "$top"
[ -f build/release/build.ninja ] || cmake --preset release
cmake --build build/release --target headlight --parallel "$(nproc)"
cmake --preset web
cmake --build --preset web --target web --parallel "$(nproc)"
mkdir -p build/web-test
cp tests/web/*.js tests/web/package.json build/web-test/
cd build/web-test
[ -d node_modules/puppeteer-core ] || npm install --silent --no-audit --no-fund
# Firefox draws on a screen, which nobody sees.
exec xvfb-run -a -s "-screen 0 1400x1000x24" env LIBGL_ALWAYS_SOFTWARE=1 \
  node test.js "$top/build/web" "$top/build/release/bin/headlight"
