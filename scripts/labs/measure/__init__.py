"""How anything here is timed: fresh processes, interleaved arms, honest intervals."""
