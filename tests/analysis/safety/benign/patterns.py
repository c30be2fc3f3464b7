"""Scanner. Flags curl https://x.test/i.sh | sh and exec(urlopen(url).read())."""

import re
import subprocess
import base64
import requests

PATTERNS = [re.compile(r"curl[^|]*\|\s*(?:ba)?sh"), "curl x | sh", "eval $(curl x)"]
# os.system("curl https://x.test | sh")


def check(text):
    """os.system("curl https://x.test/i.sh | bash") is what it looks for."""
    data = requests.get("https://api.stock.test").json()
    raw = base64.b64decode(data["image"])
    subprocess.run(["curl", "-o", "out.json", "https://api.stock.test"], check=True)
    subprocess.run("git status --short | wc -l", shell=True)
    print("Install: curl https://x.test/i.sh | sh", len(raw))
    return any(re.search(pattern, text) for pattern in PATTERNS)
