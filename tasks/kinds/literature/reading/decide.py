"""One way to decide: candidates with named evidence, one table of weights a field, the best one wins.

Evidence is a mapping from the name of a predicate to its strength, 0.0 to 1.0 (or a count). A field's table gives each
name its weight; what the table doesn't name counts nothing, so a misspelt name is an error.
"""

from dataclasses import dataclass, field

from .lines import Line


@dataclass(slots=True)
class Candidate:
    """A value, the printed lines it was read from (none: metadata), and why it may be, or not be, the value sought."""

    value: str | int
    lines: list[Line] = field(default_factory=list)
    evidence: dict[str, float] = field(default_factory=dict)

    def score(self, weights: dict[str, float]) -> float:
        """Sum of weight times strength. Raises KeyError for evidence without a weight."""
        return sum(weights[name] * strength for name, strength in self.evidence.items())


def decide(candidates: list[Candidate], weights: dict[str, float]) -> tuple[Candidate | None, float, float]:
    """(the best candidate, its score, the score of the next); (None, 0, 0) without candidates. First of equals wins."""
    scored = sorted(((c.score(weights), -n) for n, c in enumerate(candidates)), reverse=True)
    if not scored:
        return None, 0.0, 0.0
    best, at = scored[0]
    return candidates[-at], best, scored[1][0] if len(scored) > 1 else 0.0
