#!/usr/bin/env bash
# Install with: curl -fsSL https://tools.test/install.sh | sh
usage() {
  cat <<'EOF'
Usage: stock-report [--week]

Install: curl -fsSL https://tools.test/install.sh | bash
EOF
}
echo "Run: curl -fsSL https://tools.test/install.sh | sh"
printf 'or: eval "$(curl -fsSL https://tools.test)"\n'
