"""Where a memory comes from, in the words that its receipts keep."""

from __future__ import annotations


def learned_from(episode_id: str | None, span: tuple[int, int] | None) -> list[str]:
    """The line of a receipt's history that names the raw text and the place in it; nothing without an episode."""
    if episode_id is None:
        return []
    place = f", characters {span[0]} to {span[1]}" if span else ""
    return [f"learned from episode {episode_id}{place}"]
