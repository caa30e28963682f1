"""The whole memory: every kind, its receipts, its life, its full-text index, and the outbox."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STATES = (
    "'candidate','validated','active','stale','archived','forgotten','superseded','contradicted','discarded'"
)
HIDDEN = "('archived','forgotten')"  # these two are in no full-text index

# What every kind of memory has. `row` is what full text refers to: never reused, hence AUTOINCREMENT.
COMMON = f"""
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  confidence REAL NOT NULL,
  source TEXT NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  scope TEXT NOT NULL DEFAULT 'global',
  lifecycle_state TEXT NOT NULL CHECK (lifecycle_state IN ({STATES})),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  reinforced_at TEXT NOT NULL,
  valid_from TEXT,
  valid_to TEXT,
  superseded_at TEXT,
  superseded_by TEXT,
  replaces_id TEXT,
  episode_id TEXT,
  span_start INTEGER,
  span_end INTEGER,
  ttl_days REAL,
  admission_tag TEXT,
  risk_tags TEXT NOT NULL DEFAULT '[]',
  source_count INTEGER NOT NULL DEFAULT 1,
  grams TEXT NOT NULL DEFAULT ''"""

KINDS = {
    "facts": """
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  predicate_key TEXT NOT NULL,
  object_hash TEXT NOT NULL,
  triple_hash TEXT NOT NULL""",
    "decisions": """
  context TEXT NOT NULL,
  choice TEXT NOT NULL,
  reason TEXT NOT NULL,
  rejected_alternatives TEXT NOT NULL DEFAULT '[]',
  content_hash TEXT NOT NULL""",
    "skills": """
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  version INTEGER NOT NULL,
  purpose TEXT NOT NULL,
  steps TEXT NOT NULL DEFAULT '[]',
  constraints TEXT NOT NULL DEFAULT '[]',
  validation TEXT NOT NULL DEFAULT '[]',
  success_rate REAL,
  content_hash TEXT NOT NULL""",
    "beliefs": """
  proposition TEXT NOT NULL,
  proposition_key TEXT NOT NULL,
  creator TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  assertions INTEGER NOT NULL DEFAULT 1,
  context TEXT""",
    "episodes": """
  text TEXT NOT NULL,
  heading TEXT NOT NULL DEFAULT '',
  neighbours TEXT NOT NULL DEFAULT '',
  session TEXT,
  speaker TEXT,
  occurred_at TEXT,
  position INTEGER,
  external_id TEXT,
  content_hash TEXT NOT NULL""",
    "knowledge": """
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  title_key TEXT NOT NULL,
  content_hash TEXT NOT NULL""",
}

# full-text column -> expression over a row alias `{r}`; the view and the triggers must say the same
FULLTEXT = {
    "facts": {
        "subject": "{r}.subject",
        "predicate": "replace({r}.predicate, '_', ' ')",
        "object": "{r}.object",
        "tags": "{r}.tags",
        "grams": "{r}.grams",
    },
    "decisions": {
        "choice": "{r}.choice",
        "context": "{r}.context",
        "reason": "{r}.reason || ' ' || {r}.rejected_alternatives",
        "tags": "{r}.tags",
        "grams": "{r}.grams",
    },
    "skills": {
        "name": "{r}.name",
        "purpose": "{r}.purpose",
        "steps": "{r}.steps || ' ' || {r}.constraints || ' ' || {r}.validation",
        "tags": "{r}.tags",
        "grams": "{r}.grams",
    },
    "beliefs": {"proposition": "{r}.proposition", "tags": "{r}.tags", "grams": "{r}.grams"},
    "episodes": {
        "text": "{r}.heading || {r}.text",
        "neighbours": "{r}.neighbours",
        "grams": "{r}.grams",
    },
    "knowledge": {"title": "{r}.title", "content": "{r}.content", "tags": "{r}.tags"},
}

INDEXES = [
    # what is current is there once: the last word against two writers that store the same at once
    "CREATE UNIQUE INDEX facts_current ON facts (triple_hash) "
    "WHERE lifecycle_state IN ('candidate','validated','active') AND valid_to IS NULL",
    "CREATE INDEX facts_slot ON facts (subject_key, predicate_key, object_hash)",
    "CREATE INDEX facts_closed ON facts (valid_to) WHERE valid_to IS NOT NULL",
    "CREATE UNIQUE INDEX beliefs_active ON beliefs (scope, proposition_key) WHERE lifecycle_state = 'active'",
    "CREATE INDEX beliefs_proposition ON beliefs (proposition_key)",
    "CREATE UNIQUE INDEX skills_version ON skills (scope, slug, version)",
    "CREATE INDEX decisions_content ON decisions (content_hash)",
    "CREATE INDEX episodes_content ON episodes (content_hash)",
    "CREATE INDEX episodes_place ON episodes (session, position)",
    "CREATE INDEX episodes_external ON episodes (external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX episodes_speaker ON episodes (speaker) WHERE speaker IS NOT NULL",
    "CREATE INDEX episodes_time ON episodes (occurred_at) WHERE occurred_at IS NOT NULL",
    "CREATE UNIQUE INDEX knowledge_title ON knowledge (scope, title_key) "
    "WHERE lifecycle_state NOT IN ('archived','forgotten')",
    "CREATE UNIQUE INDEX knowledge_content ON knowledge (scope, content_hash) "
    "WHERE lifecycle_state NOT IN ('archived','forgotten')",
    *[f"CREATE INDEX {kind}_state ON {kind} (lifecycle_state, reinforced_at)" for kind in KINDS],
    # which scopes hold anything; what is everybody's, mostly everything, costs nothing
    *[
        f"CREATE INDEX {kind}_scope ON {kind} (scope) WHERE scope <> 'global' AND lifecycle_state NOT IN {HIDDEN}"
        for kind in KINDS
    ],
    *[
        f"CREATE INDEX {kind}_episode ON {kind} (episode_id) WHERE episode_id IS NOT NULL"
        for kind in KINDS
        if kind != "episodes"
    ],
]

SIDE_TABLES = [
    """CREATE TABLE memory_sources (
  memory_id TEXT NOT NULL,
  source_key TEXT NOT NULL,
  source TEXT NOT NULL,
  confidence REAL NOT NULL,
  first_at TEXT NOT NULL,
  last_at TEXT NOT NULL,
  PRIMARY KEY (memory_id, source_key)
) WITHOUT ROWID""",
    "CREATE INDEX memory_sources_key ON memory_sources (source_key, memory_id)",
    """CREATE TABLE receipts (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  memory_type TEXT NOT NULL,
  source TEXT NOT NULL,
  created_by TEXT NOT NULL,
  confidence REAL NOT NULL,
  verification_status TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  history TEXT NOT NULL DEFAULT '[]'
)""",
    "CREATE INDEX receipts_memory ON receipts (memory_id)",
    """CREATE TRIGGER receipts_unchanged BEFORE UPDATE ON receipts
BEGIN SELECT raise(ABORT, 'receipts are never changed'); END""",
    """CREATE TRIGGER receipts_kept BEFORE DELETE ON receipts
BEGIN SELECT raise(ABORT, 'receipts are never deleted'); END""",
    """CREATE TABLE lifecycle_events (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id TEXT NOT NULL,
  memory_type TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TEXT NOT NULL
)""",
    "CREATE INDEX lifecycle_events_memory ON lifecycle_events (memory_id)",
    """CREATE TABLE belief_evidence (
  belief_id TEXT NOT NULL,
  source_type TEXT NOT NULL,
  source_id TEXT NOT NULL,
  weight REAL NOT NULL,
  contributor TEXT NOT NULL,
  added_at TEXT NOT NULL,
  PRIMARY KEY (belief_id, source_type, source_id)
) WITHOUT ROWID""",
    "CREATE INDEX belief_evidence_source ON belief_evidence (source_id)",
    """CREATE TABLE belief_topics (
  topic TEXT NOT NULL,
  belief_id TEXT NOT NULL,
  PRIMARY KEY (topic, belief_id)
) WITHOUT ROWID""",
    "CREATE INDEX belief_topics_belief ON belief_topics (belief_id)",
    # seq is the order of all changes, followed by every process: it must never be reused
    """CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_type TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending','done','failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  retry_at REAL NOT NULL DEFAULT 0,
  error TEXT,
  created_at REAL NOT NULL
)""",
    "CREATE INDEX outbox_unsettled ON outbox (state, seq) WHERE state <> 'done'",
    """CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  token INTEGER NOT NULL,
  expires_at REAL NOT NULL
) WITHOUT ROWID""",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
]


def fulltext(kind: str) -> list[str]:
    columns = FULLTEXT[kind]
    names = ", ".join(columns)

    def values(alias: str) -> str:
        return ", ".join(expression.format(r=alias) for expression in columns.values())

    view = ", ".join(f"{expression.format(r='t')} AS {name}" for name, expression in columns.items())
    changed = " OR ".join(f"({e.format(r='old')}) IS NOT ({e.format(r='new')})" for e in columns.values())
    # knowledge keeps the tokenizer of the server that it replaces
    tokenizer = "porter unicode61" if kind == "knowledge" else "porter unicode61 remove_diacritics 2"
    return [
        f"CREATE VIEW {kind}_text AS SELECT t.row AS row, {view} FROM {kind} t "
        f"WHERE t.lifecycle_state NOT IN {HIDDEN}",
        f"CREATE VIRTUAL TABLE {kind}_fts USING fts5({names}, content='{kind}_text', content_rowid='row', "
        f"tokenize='{tokenizer}')",
        f"CREATE VIRTUAL TABLE words_of_{kind} USING fts5vocab('{kind}_fts', 'row')",
        f"""CREATE TRIGGER {kind}_fts_insert AFTER INSERT ON {kind} WHEN new.lifecycle_state NOT IN {HIDDEN}
BEGIN
  INSERT INTO {kind}_fts (rowid, {names}) VALUES (new.row, {values("new")});
END""",
        f"""CREATE TRIGGER {kind}_fts_delete AFTER DELETE ON {kind} WHEN old.lifecycle_state NOT IN {HIDDEN}
BEGIN
  INSERT INTO {kind}_fts ({kind}_fts, rowid, {names}) VALUES ('delete', old.row, {values("old")});
END""",
        f"""CREATE TRIGGER {kind}_fts_update AFTER UPDATE ON {kind}
WHEN {changed} OR (old.lifecycle_state IN {HIDDEN}) <> (new.lifecycle_state IN {HIDDEN})
BEGIN
  INSERT INTO {kind}_fts ({kind}_fts, rowid, {names})
    SELECT 'delete', old.row, {values("old")} WHERE old.lifecycle_state NOT IN {HIDDEN};
  INSERT INTO {kind}_fts (rowid, {names})
    SELECT new.row, {values("new")} WHERE new.lifecycle_state NOT IN {HIDDEN};
END""",
    ]


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for kind, columns in KINDS.items():
        run(f"CREATE TABLE {kind} ({COMMON},{columns}\n)")
    for statement in [*SIDE_TABLES, *INDEXES]:
        run(statement)
    for kind in KINDS:
        for statement in fulltext(kind):
            run(statement)


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    for kind in KINDS:
        run(f"DROP TABLE words_of_{kind}")
        run(f"DROP TABLE {kind}_fts")
        run(f"DROP VIEW {kind}_text")
        run(f"DROP TABLE {kind}")
    for table in (
        "memory_sources",
        "receipts",
        "lifecycle_events",
        "belief_evidence",
        "belief_topics",
        "outbox",
        "leases",
        "meta",
    ):
        run(f"DROP TABLE {table}")
