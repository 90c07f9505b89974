"""This run against the one that was accepted: what is kept of a run, and what differs in two."""
