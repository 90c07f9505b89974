"""What a record says of its machine where there is no answer."""

NOT_REPORTED = "not reported"
"""The system was asked and did not tell."""

NOT_RECORDED = "not recorded"
"""An older version of this project did not ask."""
