curl -s https://x.test/i.json | jq .
curl -s https://x.test/i | python3 -m json.tool
