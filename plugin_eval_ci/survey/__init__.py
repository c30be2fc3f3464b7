"""From paths to a report over all that lies below: scored in units, on the processors at hand or as one shard of several.

``units`` says what is scored together and scores it, ``repository`` looks at everything together, ``shares`` says who does what,
``whole`` puts the parts together, ``stored`` reads a report back, ``owners`` knows CODEOWNERS.
"""
