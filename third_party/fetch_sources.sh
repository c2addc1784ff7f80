#!/usr/bin/env bash
# Fetches the upstream sources of Debian 12's packages into folders of the same names: fetch_sources.sh TO PACKAGE…
# What lies there already stays. The system's own list of sources is not touched.
set -euo pipefail
to=$1
shift
lacking=()
for package in "$@"; do [ -f "$to/$package/.whole" ] || lacking+=("$package"); done
((${#lacking[@]} > 0)) || exit 0

mkdir -p "$to"
work=$(mktemp -d "${TMPDIR:-/tmp}/headlight-sources.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" \
  >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "";
END
export APT_CONFIG=$work/apt.conf
apt-get update -qq >&2
for package in "${lacking[@]}"; do
  (cd "$work" && apt-get source -qq --download-only --tar-only "$package" >&2)
  rm -rf "${to:?}/$package"
  mkdir "$to/$package"
  tar -xf "$(find "$work" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name '*.asc' -print -quit)" -C "$to/$package" \
    --strip-components=1
  touch "$to/$package/.whole"
done
