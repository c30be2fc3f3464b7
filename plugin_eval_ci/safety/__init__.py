"""What a text or a script of a skill could do to its reader: secrets, hidden text, orders in comments, commands that run by themselves.

The words *about* an attack are no attack: what is quoted, listed, fenced or described stays silent. tests/safety/benign holds the proof.
"""
