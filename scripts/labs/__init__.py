"""The library behind the programs in ``scripts/``: it measures, keeps records, judges claims."""
