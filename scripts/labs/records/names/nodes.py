"""Whether a job had its node of a cluster for itself."""

OWN, SHARED, UNKNOWN, NONE = "its own", "shared", "unknown", "no cluster"
