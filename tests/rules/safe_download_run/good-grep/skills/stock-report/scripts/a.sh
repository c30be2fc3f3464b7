grep -E 'curl.*[|] *sh' "$1"
