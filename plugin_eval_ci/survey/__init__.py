"""The report on everything below some paths, scored in units on all processors or as one shard of several.

``targets`` groups and scores documents, ``run`` distributes the work, ``merge_shards`` combines the parts, ``load`` reads a report
back, ``since`` compares two reports, ``owners`` reads CODEOWNERS.
"""
