"""The figures of the report, drawn from its tables only."""
