echo aGk= | base64 -d | bash
