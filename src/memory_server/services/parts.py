"""What the use cases work with; built by the app, so that no use case knows how."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_server.indexes.meaning import Meaning
from memory_server.indexes.network import Network
from memory_server.observability import Observation
from memory_server.policies.routing import Rule
from memory_server.settings import Settings
from memory_server.storage.database import Database
from memory_server.storage.fulltext import Frequencies


@dataclass
class Parts:
    """The database, the indexes over it, and the settings."""

    settings: Settings
    observation: Observation
    database: Database
    frequencies: Frequencies
    meaning: Meaning
    network: Network
    rules: tuple[Rule, ...]
    notes: list[str] = field(default_factory=list)
    last_errors: list[str] = field(default_factory=list)
