#!/bin/sh
# Runs Headlight from wherever this folder lies. The system's own copies of a few libraries are preferred, because a
# graphics driver may want them; where the system lacks one, or has an older one, those of this folder serve.
here=$(dirname "$(readlink -f "$0")")
if ! "$here/bin/headlight" --version >/dev/null 2>&1; then
  LD_LIBRARY_PATH=$here/lib/headlight/if-missing${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export LD_LIBRARY_PATH
fi
exec "$here/bin/headlight" "$@"
