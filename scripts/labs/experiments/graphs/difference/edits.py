"""The difference between two graphs, found as a text diff: one line per node, in execution order.

Two lines are equal if kind, operator and module are.  Only a part is drawn: the modules in which
something differs and what they read or feed, with each run of one operator as one box.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from labs.experiments.graphs.names import times
from labs.experiments.graphs.node import WEIGHTS, Node

BOTH, BEFORE, AFTER = "both", "before", "after"
"""Which of the two graphs have a node or an edge."""


@dataclass
class Box:
    """One or more nodes of the union of both graphs, drawn as one."""

    node: Node
    status: str
    count: int = 1
    reads: dict[str, str] = field(default_factory=dict)
    """The boxes that it reads, by name, with the graphs in which it reads them."""

    @property
    def label(self) -> str:
        """The operator without its overload, or the input's name; with a count if more than one."""
        return times(self.node.operator.split(".")[0] or self.node.node, self.count)


def align(
    before: Sequence[Node], after: Sequence[Node]
) -> Iterator[tuple[Node | None, Node | None]]:
    """Yield the nodes of both graphs in one order: equal ones as pairs, others paired with None."""
    lines = [node.line for node in before], [node.line for node in after]
    matcher = SequenceMatcher(None, *lines, autojunk=False)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        gone, added = before[start:end], after[other_start:other_end]
        if kind == "equal":
            yield from zip(gone, added, strict=True)
        else:
            yield from ((node, None) for node in gone)
            yield from ((None, node) for node in added)


def difference(before: Sequence[Node], after: Sequence[Node]) -> dict[str, Box]:
    """Return a box for every node of the union, by name, in execution order."""
    boxes: dict[str, Box] = {}
    names: tuple[dict[str, str], dict[str, str]] = {}, {}
    for pair in align(before, after):
        first, second = pair
        node = second or first
        assert node is not None
        status = BEFORE if second is None else AFTER if first is None else BOTH
        # A node that only the first graph has may share its name with another node of the second.
        name = f"{node.node}, {BEFORE}" if status == BEFORE else node.node
        boxes[name] = Box(node, status)
        reads = boxes[name].reads
        for graph, box_of, version in zip((BEFORE, AFTER), names, pair, strict=True):
            if version is not None:
                box_of[version.node] = name
                for parent in (box_of[read] for read in version.reads.split()):
                    reads[parent] = BOTH if reads.get(parent, graph) != graph else graph
    return boxes


def neighbourhood(boxes: dict[str, Box]) -> dict[str, Box]:
    """Return the boxes of modules in which an operator differs, and what these read or feed.

    Weights are left out.
    """
    operators = {name: box for name, box in boxes.items() if box.node.operator}
    modules = {box.node.module for box in operators.values() if box.status != BOTH}
    inside = {name for name, box in operators.items() if box.node.module in modules}
    read = {parent for name in inside for parent in boxes[name].reads}
    kept = inside | {name for name in read if boxes[name].node.kind not in WEIGHTS}
    kept |= {name for name, box in boxes.items() if inside & set(box.reads)}
    return {
        name: replace(box, reads={read: box.reads[read] for read in box.reads if read in kept})
        for name, box in boxes.items()
        if name in kept
    }


def merge_runs(boxes: dict[str, Box]) -> dict[str, Box]:
    """Return the boxes, with each unbranched run of one operator merged into one."""
    readers = Counter(parent for box in boxes.values() for parent in box.reads)
    merged: dict[str, Box] = {}
    head = {name: name for name in boxes}
    for name, box in boxes.items():
        parent = next(iter(box.reads), "")
        alone = len(box.reads) == 1 and readers[parent] == 1
        if alone and _alike(boxes[parent], box):
            head[name] = head[parent]
            merged[head[name]].count += 1
        else:
            reads = {head[read]: graph for read, graph in box.reads.items()}
            merged[name] = Box(box.node, box.status, 1, reads)
    return merged


def _alike(first: Box, second: Box) -> bool:
    same = first.node.line == second.node.line and first.status == second.status
    return same and bool(first.node.operator)
