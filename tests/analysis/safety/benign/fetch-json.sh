#!/bin/bash
set -euo pipefail
curl -fsSL https://api.stock.test/v1/items | jq '.items[]' | sort
curl -s https://api.stock.test/v1/items | python3 -m json.tool
curl -s https://api.stock.test/v1/items | python3 -c 'import json, sys; print(len(json.load(sys.stdin)))'
version=$(curl -fsS https://api.stock.test/version)
curl -fsSLo tool.tgz https://tools.test/tool.tgz && tar xzf tool.tgz
curl -s http://localhost:8080/setup | sh
echo aGVsbG8= | base64 -d > hello.txt
echo "$DATA" | base64 --decode | jq .
curl -s https://tools.test/list.txt | while read -r line; do echo "$line"; done
wget -qO- https://tools.test/a.tar.gz | tar xz
ssh host 'uptime'
eval "$(ssh-agent -s)"
eval "$(pyenv init -)"
source <(kubectl completion bash)
