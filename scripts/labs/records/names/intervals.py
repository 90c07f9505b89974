"""What all intervals of the report share."""

from __future__ import annotations

CONFIDENCE = 0.95
"""The confidence level of every interval; of many searches, the share that a band holds."""
