"""From a record to the values and tables that the report quotes: pure functions, no torch."""
