"""Receipts: one for each write, kept for good."""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlalchemy import Connection

from memory_server.domain.receipt import Receipt
from memory_server.storage.database import insert_rows

_COLUMNS = (
    "id, memory_id, memory_type, source, created_by, confidence, verification_status, timestamp, history"
)


def add(connection: Connection, receipt: Receipt) -> None:
    """Writes a receipt."""
    add_all(connection, [receipt])


def add_all(connection: Connection, written: Iterable[Receipt]) -> None:
    """Writes receipts in their order."""
    values = [
        (
            receipt.id,
            receipt.memory_id,
            receipt.memory_type,
            receipt.source,
            receipt.created_by,
            receipt.confidence,
            receipt.verification_status,
            receipt.timestamp,
            json.dumps(receipt.history, ensure_ascii=False),
        )
        for receipt in written
    ]
    if values:
        insert_rows(
            connection, f"INSERT INTO receipts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values
        )


def of(connection: Connection, memory_id: str) -> list[Receipt]:
    """The receipts of a memory, oldest first."""
    found = connection.exec_driver_sql(
        f"SELECT {_COLUMNS} FROM receipts WHERE memory_id = ? ORDER BY row", (memory_id,)
    )
    return [
        Receipt(
            id=row[0],
            memory_id=row[1],
            memory_type=row[2],
            source=row[3],
            created_by=row[4],
            confidence=row[5],
            verification_status=row[6],
            timestamp=row[7],
            history=tuple(json.loads(row[8])),
        )
        for row in found
    ]
