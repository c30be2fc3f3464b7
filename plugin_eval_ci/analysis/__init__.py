"""Facts that need more than one document: references, names, the listing, safety, what a host must have, overlap."""
