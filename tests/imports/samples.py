"""Small stores of other tools with invented texts.

Where a tool could be run, its own file is in `data/`. The others are built here in the schema of the tool: claude-mem
13.25 (`SessionStore.ts`), mcp-memory-service 12.4 (`migrations.py`, `exporter.py`), mem0 2.2 (`storage.py`,
`MemoryItem`), LetsGo (`_SCHEMA_SQL`), ai-effort-regulation (`memory-storage.ts`), basic-memory (`NOTE-FORMAT.md`),
Codex, Serena, and OKF 0.2.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import apsw

DATA = Path(__file__).parent / "data"

CLAUDE_MEM = """
CREATE TABLE observations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
  type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
  files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, created_at TEXT NOT NULL,
  created_at_epoch INTEGER NOT NULL, content_hash TEXT, merged_into_project TEXT);
CREATE TABLE session_summaries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
  investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE TABLE user_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL,
  prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
INSERT INTO observations (memory_session_id, project, type, title, narrative, facts, concepts, files_modified,
  created_at, created_at_epoch) VALUES
  ('s-1', 'shop', 'bugfix', 'Basket survives a restart', 'The basket was lost because the session key changed.',
   '["The key is kept in Redis now"]', '["problem-solution", "gotcha"]', '["src/basket.py"]',
   '2026-01-02T03:04:05.000Z', 1767323045000),
  ('s-1', 'shop', 'security_alert', 'Odd type', 'A type that only a mode of claude-mem has.', '[]', '[]', '[]',
   '2026-01-02T03:04:05.000Z', 1767323045000),
  ('s-2', 'boat', 'discovery', 'Rudder', 'The rudder is mounted on the left side.', '[]', '[]', '[]',
   '2026-01-03T03:04:05.000Z', 1767409445000);
INSERT INTO session_summaries (memory_session_id, project, request, learned, next_steps, created_at, created_at_epoch)
  VALUES ('s-1', 'shop', 'Keep the basket', 'Redis keeps it for a week.', 'Measure the load.',
   '2026-01-02T04:04:05.000Z', 1767326645000);
INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch)
  VALUES ('c-1', 1, 'please fix the basket', '2026-01-02T03:00:00.000Z', 1767322800000);
"""

MEMORY_SERVICE = """
CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL, tags TEXT,
  memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT,
  deleted_at REAL DEFAULT NULL);
INSERT INTO memories (content_hash, content, tags, memory_type, created_at, deleted_at) VALUES
  ('aa11', 'The nightly job reindexes the catalogue at two.', 'catalogue,cron', 'decision', 1767323045.5, NULL),
  ('bb22', 'This one was deleted.', '', 'note', 1767323046.5, 1767323050.0);
"""

MEM0 = """
CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
  created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
INSERT INTO history VALUES
  ('1', 'm-1', NULL, 'Likes tea in the morning', 'ADD', '2026-01-01T08:00:00', NULL, 0, NULL, NULL),
  ('2', 'm-1', 'Likes tea in the morning', 'Likes coffee in the morning', 'UPDATE', '2026-01-01T08:00:00',
   '2026-01-02T08:00:00', 0, NULL, NULL),
  ('3', 'm-2', NULL, 'Owns a dinghy', 'ADD', '2026-01-01T08:00:00', NULL, 0, NULL, NULL),
  ('4', 'm-2', 'Owns a dinghy', NULL, 'DELETE', NULL, NULL, 1, NULL, NULL);
"""

LETSGO = """
CREATE TABLE memories (
    id TEXT PRIMARY KEY, content TEXT NOT NULL, content_hash TEXT NOT NULL DEFAULT '', category TEXT DEFAULT 'general',
    importance REAL DEFAULT 0.5, trust REAL DEFAULT 0.5, sensitivity TEXT DEFAULT 'public', tags TEXT DEFAULT '',
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, expires_at TEXT DEFAULT NULL, title TEXT DEFAULT '',
    subtitle TEXT DEFAULT '', type TEXT DEFAULT 'change', concepts TEXT DEFAULT '[]', files_read TEXT DEFAULT '[]',
    files_modified TEXT DEFAULT '[]', session_id TEXT DEFAULT NULL, project TEXT DEFAULT NULL,
    accessed_count INTEGER DEFAULT 0, discovery_tokens INTEGER DEFAULT 0);
CREATE TABLE facts (
    id TEXT PRIMARY KEY, subject TEXT NOT NULL, predicate TEXT NOT NULL, object TEXT NOT NULL,
    confidence REAL DEFAULT 1.0, source_entry_id TEXT DEFAULT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL);
INSERT INTO memories (id, content, sensitivity, type, tags, created_at, updated_at, project) VALUES
  ('l-1', 'The importer retries three times before it gives up.', 'public', 'decision', 'importer',
   '2026-01-02T03:04:05', '2026-01-02T03:04:05', NULL),
  ('l-2', 'The vault is opened with two keys.', 'secret', 'discovery', '', '2026-01-02T03:04:05',
   '2026-01-02T03:04:05', 'shop'),
  ('l-3', 'The third level is unknown to everybody.', 'cosmic', 'change', '', '2026-01-02T03:04:05',
   '2026-01-02T03:04:05', NULL);
INSERT INTO facts VALUES ('f-1', 'importer', 'retries', '3', 1.0, NULL, '2026-01-02', '2026-01-02');
"""

EFFORT = """
CREATE TABLE app_memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT, app_id TEXT NOT NULL, content TEXT NOT NULL,
  created_at DATETIME DEFAULT CURRENT_TIMESTAMP, updated_at DATETIME DEFAULT CURRENT_TIMESTAMP,
  source_conversation_id TEXT, metadata TEXT);
INSERT INTO app_memories (app_id, content, created_at, source_conversation_id) VALUES
  ('chat', 'The user learns to sail and asks about knots.', '2026-01-02 03:04:05', 'c-9');
"""


def database(path: Path, script: str) -> Path:
    """Write an SQLite database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(script)
    connection.close()
    return path


def write(path: Path, text: str) -> Path:
    """Write a text file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def _claude_mem_json(folder: Path) -> Path:
    row = {
        "id": 7,
        "memory_session_id": "s-1",
        "project": "shop",
        "type": "decision",
        "title": "Queue",
        "narrative": "Orders go through a queue since March.",
        "facts": '["The queue is RabbitMQ"]',
        "created_at_epoch": 1767323045000,
    }
    data = {"exportedAt": "2026-01-05", "totalObservations": 1, "observations": [row], "summaries": [], "prompts": [{}]}
    return write(folder / "claude-mem.json", json.dumps({**data, "sessions": []}))


def _memory_service_json(folder: Path) -> Path:
    row = {
        "content": "Invoices are rounded half to even.",
        "content_hash": "cc33",
        "tags": ["billing"],
        "created_at": 1767323045.5,
        "memory_type": "note",
        "metadata": {},
        "store": "default",
    }
    return write(folder / "service.json", json.dumps({"export_metadata": {"total_memories": 1}, "memories": [row]}))


def _mem0_json(folder: Path) -> Path:
    row = {
        "id": "m-9",
        "memory": "Prefers metric units",
        "hash": "x",
        "metadata": {},
        "created_at": "2026-01-02T03:04:05",
    }
    return write(folder / "mem0.json", json.dumps({"results": [row]}))


def _basic_memory(folder: Path) -> Path:
    write(
        folder / "basic" / "ferry.md",
        "---\ntitle: Ferry timetable\ntype: note\ntags: [ferry, timetable]\npermalink: ferry\n"
        "created: 2026-01-02\n---\n"
        "# Ferry timetable\n\nThe ferry leaves twice a day in winter.\n\n## Observations\n"
        "- [decision] The timetable is printed in June #print\n- [ ] a task\n\n"
        "## Relations\n- requires [[Harbour pass]]\n",
    )
    return folder / "basic"


def _serena(folder: Path) -> Path:
    write(
        folder / ".serena" / "memories" / "task_completion.md", "# Done\n\nRun the linter before you finish a task.\n"
    )
    return folder / ".serena" / "memories"


def _claude_code(folder: Path) -> Path:
    write(
        folder / "memory" / "MEMORY.md",
        "# Notes\n- [Port](port.md): which port\n- Always run the linter before a commit\n",
    )
    write(folder / "memory" / "port.md", "---\ndescription: Which port the API has\n---\nThe API has port 8080.\n")
    return folder / "memory"


def _codex(folder: Path) -> Path:
    here, there = folder.resolve() / "shop", "/srv/boat"
    group = (
        "# Task Group: {0}\n\nscope: what it is about\napplies_to: cwd={1}; reuse_rule=check first\n\n## Task 1: x\n\n"
    )
    group += "### keywords\n\n- one, two, three, four\n\n## User preferences\n\n"
    group += "- when {0} is built, use the small image [Task 1]\n\n"
    return write(folder / "codex" / "MEMORY.md", group.format("shop", here) + group.format("boat", there))


def _rules(folder: Path) -> Path:
    write(
        folder / ".cursor" / "rules" / "tests.mdc",
        "---\ndescription: Tests\nglobs: tests/**\n---\n- Name a test as a sentence\n",
    )
    return folder / ".cursor" / "rules"


def _agents_md(folder: Path) -> Path:
    return write(
        folder / "AGENTS.md",
        "# Build\n\n- Run `make check` before every commit\n- @docs/more.md\n\n"
        "```sh\nmake check with many words inside\n```\n\n"
        "<!-- MEMORY:START -->\n- A line that a memory tool manages itself\n<!-- MEMORY:END -->\n\n"
        "The generated files are never edited by hand.\n",
    )


def _okf(folder: Path) -> Path:
    bundle = folder / "okf"
    write(bundle / "index.md", "* [orders](orders.md) - The table of orders.\n")
    write(
        bundle / "orders.md",
        "---\ntype: Playbook\ntitle: Orders\ntags: [sales]\n"
        "generated: { by: human:ada, at: 2026-01-02T00:00:00Z }\n---\n"
        "Orders are closed after thirty days.\n",
    )
    write(bundle / "old" / "legacy.md", "---\ntype: Metric\nstatus: deprecated\n---\nThe old margin.\n")
    write(bundle / "typeless.md", "---\ntitle: None\n---\nNo type at all.\n")
    return bundle


def _ltm(folder: Path) -> Path:
    # The tool keeps the path of each project.
    script = (DATA / "ltm.sql").read_text("utf-8").replace("/srv/shop", str(folder.resolve() / "shop"))
    return database(folder / "ltm.db", script)


def _from_dump(name: str, file: str) -> Callable[[Path], Path]:
    return lambda folder: database(folder / file, (DATA / name).read_text("utf-8"))


def _ltm_json(folder: Path) -> Path:
    row = {
        "id": "1b2c",
        "region": "PROJECT",
        "kind": "LEARNINGS",
        "content": "Timeouts are in milliseconds.",
        "impact": "HIGH",
        "confidence": 0.6,
        "created_at": "2026-01-02T03:04:05",
        "project_id": "shop",
    }
    data = {"version": "1.0", "agent": {"id": "anima", "name": "Anima"}, "project": {"id": "shop"}, "memories": [row]}
    return write(folder / "ltm.json", json.dumps(data))


def _ltm_seed(folder: Path) -> Path:
    return write(
        folder / "seeds" / "ARCHITECTURAL_001.md",
        "# Architectural Memory: Foundations\n\n**ID:** ARCH-2025-12-20-001\n**Created:** 2025-12-20\n"
        "**Impact:** CRITICAL\n"
        "**Region:** PROJECT (shop)\n**Confidence:** 1.0\n\n## Raw Memory (Original)\n\nThe shop is one process.\n\n"
        "## Compacted Memory (For Injection)\n\n```\n~ARCH:CRIT| one process\n```\n",
    ).parent


def _claude_ltm(folder: Path) -> Path:
    place = folder / ".claude" / "ltm"
    head = '---\nid: "mem_{0}"\ntopic: "2024"\ntags:\n  - net\nphase: {1}\ndifficulty: 0.85\n'
    head += 'created_at: "2026-01-02T03:04:05+00:00"\n---\n'
    write(place / "memories" / "mem_df5de064.md", head.format("df5de064", 0) + "# Proxy\n\nThe proxy needs IPv4.\n")
    write(place / "memories" / "mem_aa5de064.md", head.format("aa5de064", 2) + "*Abstract: short*\n")
    write(place / "archives" / "mem_aa5de064.md", head.format("aa5de064", 0) + "The whole text of the second memory.\n")
    write(place / "memories" / "own.md", head.format("0" * 26, 0) + "Written by Limpet itself.\n")
    write(place / "index.json", '{"version": 1, "memories": {}}')
    return place


def _liteagents(folder: Path) -> Path:
    return write(
        folder / ".claude" / "remember" / "MEMORY.md",
        "# Project Memory\n> Auto-generated by /remember. Do not edit manually.\n\n"
        "## Facts\n- The cache lives for ten minutes\n\n"
        "## Episodes\n### 2026-01-02 - Cache\n- tried a longer time and went back\n\n"
        "## Preferences\n### High Confidence\n"
        "- answers in short sentences only (evidence: 6 observations)\n",
    )


SAMPLES: dict[str, tuple[str, Callable[[Path], Path], int, int]] = {
    "claude-mem": ("claude-mem", lambda at: database(at / "claude-mem.db", CLAUDE_MEM), 3, 0),
    "claude-mem, JSON": ("claude-mem", _claude_mem_json, 1, 0),
    "claude-mem, made by it": ("claude-mem", _from_dump("claude-mem.sql", "claude-mem.db"), 3, 0),
    "mcp-memory-service": ("mcp-memory-service", lambda at: database(at / "sqlite_vec.db", MEMORY_SERVICE), 1, 0),
    "mcp-memory-service, JSON": ("mcp-memory-service", _memory_service_json, 1, 0),
    "mcp-memory-service, made by it": (
        "mcp-memory-service",
        _from_dump("mcp-memory-service.sql", "sqlite_vec.db"),
        3,
        0,
    ),
    "mem0": ("mem0", lambda at: database(at / "history.db", MEM0), 1, 0),
    "mem0, JSON": ("mem0", _mem0_json, 1, 0),
    "mem0, made by it": ("mem0", _from_dump("mem0-history.sql", "history.db"), 2, 0),
    "mem0, JSON made by it": ("mem0", lambda at: DATA / "mem0.json", 2, 0),
    "basic-memory": ("basic-memory", _basic_memory, 2, 1),
    "basic-memory, made by it": ("basic-memory", lambda at: DATA / "basic-memory", 4, 2),
    "server-memory": ("server-memory", lambda at: DATA / "server-memory.jsonl", 4, 2),
    "serena": ("serena", _serena, 1, 0),
    "serena, made by it": ("serena", lambda at: DATA / "serena" / ".serena" / "memories", 3, 0),
    "claude-code": ("claude-code", _claude_code, 2, 0),
    "codex": ("codex", _codex, 1, 0),
    "cursor": ("cursor", _rules, 1, 0),
    "agents-md": ("agents-md", _agents_md, 2, 0),
    "okf": ("okf", _okf, 1, 0),
    "ltm": ("ltm", _ltm, 3, 0),
    "ltm, JSON": ("ltm", _ltm_json, 1, 0),
    "ltm, seeds": ("ltm", _ltm_seed, 1, 0),
    "claude-ltm": ("claude-ltm", _claude_ltm, 2, 0),
    "letsgo": ("letsgo", lambda at: database(at / "memories.db", LETSGO), 3, 1),
    "liteagents": ("liteagents", _liteagents, 3, 0),
    "ai-effort-regulation": ("ai-effort-regulation", lambda at: database(at / "conversations.db", EFFORT), 1, 0),
}
"""For each sample its format, a function that makes it in a folder, and how many memories and facts it gives."""
