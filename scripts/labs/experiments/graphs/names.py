"""The graphs of Lab 0."""

IDS, MASK, LABELS = "ids", "mask", "labels"
REMOVED, TRAINING = "removed", "training"


def times(name: str, count: int) -> str:
    """Return a name with its count, if more than one."""
    return name if count == 1 else f"{name} ×{count}"


TABLES = (
    "graphs_operators",
    "graphs_changes",
    "graphs_boxes",
    "graphs_edges",
    "graphs_modules",
    "graphs_nodes",
    "graphs_shapes",
    "graphs_outputs",
    "graphs_errors",
    "graphs_code",
)
FIGURES = (
    "graphs_mask",
    "graphs_labels",
    "graphs_modules",
)
