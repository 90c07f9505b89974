"""The figures of the report, drawn from its tables and from nothing else."""
