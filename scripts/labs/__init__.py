"""The library behind the programs in ``scripts/``: it measures, it keeps records, it judges claims."""
