#!/bin/sh
# Finds dangerous commands in scripts.
grep -rnE 'curl[^|]*\|\s*(ba)?sh' "$1" && exit 1
grep -rnE "wget .* \| bash" "$1" && exit 1
case "$line" in
  *"base64 -d | sh"*) echo "decoded code" ;;
esac
PATTERN="curl https://.* | sh"
[[ $line =~ 'curl x | sh' ]] && exit 2
