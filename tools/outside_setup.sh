#!/usr/bin/env bash
# Installs the Debian packages that the outside tests use, where that is possible: root, apt, and a package that is missing.
# Anything else is left to the tests, which say what they miss and why they are skipped.
set -euo pipefail

declare -A package=(
  [node]=nodejs
  [npm]=npm
  [chromium]=chromium
  [rsvg-convert]=librsvg2-bin
  [buildah]=buildah
  [runc]=runc
  [mmdebstrap]=mmdebstrap
  [java]=default-jre-headless
  [shellcheck]=shellcheck
  [git]=git
)
missing=()
for program in "${!package[@]}"; do
  command -v "$program" >/dev/null || missing+=("${package[$program]}")
done
if [ "${#missing[@]}" -eq 0 ]; then
  exit 0
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "outside tests: not installed here: ${missing[*]}; the tests that need them are skipped" >&2
  exit 0
fi
export DEBIAN_FRONTEND=noninteractive
wait=(-o DPkg::Lock::Timeout=300)
[[ " ${missing[*]} " == *" chromium "* ]] && missing+=(fonts-liberation)
if ! { apt-get "${wait[@]}" update -qq && apt-get "${wait[@]}" install -y -qq --no-install-recommends "${missing[@]}"; } >/dev/null; then
  echo "outside tests: could not install ${missing[*]}; the tests that need them are skipped" >&2
fi
