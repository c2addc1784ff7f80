#!/usr/bin/env bash
# Fetches what the page is linked with and emscripten does not bring, as Debian's source packages, into the
# folder that is named; what lies there already stays. The system's own list of sources is not touched.
set -euo pipefail
to=$1
packages=(imgui utf8proc md4c pcre2 xz-utils)

all_there=true
for package in "${packages[@]}"; do [ -f "$to/$package/.whole" ] || all_there=false; done
$all_there && exit 0

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
for package in "${packages[@]}"; do
  [ -f "$to/$package/.whole" ] && continue
  (cd "$work" && apt-get source -qq --download-only --tar-only "$package" >&2)
  rm -rf "${to:?}/$package"
  mkdir "$to/$package"
  tar -xf "$work/${package}"_*.orig.tar.* -C "$to/$package" --strip-components=1
  touch "$to/$package/.whole"
done
