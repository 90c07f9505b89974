"""What a record says of its machine where there is no answer."""

NOT_REPORTED = "not reported"
"""The system was asked and did not tell."""

NOT_RECORDED = "not recorded"
"""An older version of this project did not ask."""

OWN, SHARED, UNKNOWN, NONE = "its own", "shared", "unknown", "no cluster"
"""Whether a job had its node of a cluster for itself."""
