"""A short hash of what a finding is about, so that accepting one text, order or secret accepts no other."""


def digest_of(*parts: str) -> str:
    """Twelve hexadecimal digits that change when any part changes."""
    from hashlib import sha256

    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
