# ruff: noqa: E501 - the texts are measured as they stand
"""Texts with the number of tokens Anthropic's published vocabulary cuts them into (see `benchmarks/tokens.py`)."""

from typing import NamedTuple


class Sample(NamedTuple):
    text: str
    tokens: int


ENGLISH_AND_CODE = {
    "prose": Sample(
        text="""The index can be thrown away at any time, because everything in it is derived from the journal. When a reader
finds a line whose checksum does not match, it stops there, keeps what came before and tells the user what was lost and
how to get it back. We measured both ways on a slow disk and on a fast one. The difference was smaller than the noise of
the machine, so we kept the simpler version. If you ever feel the urge to add a second cache in front of it, please read
the decision record first: somebody tried, and it took three weeks to find out why memories of one project showed up in
another. Nobody wants to go through that again, and our tests now make sure that it cannot happen without somebody
noticing on the same day.""",
        tokens=164,
    ),
    "code": Sample(
        text=r'''from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    path: str
    sequence: int
    locked: bool = False
    changes: list[bytes] = field(default_factory=list)

    def append(self, line: bytes) -> int:
        """Write one change and return the offset behind it."""
        if self.locked:
            raise StoreReadOnly(f"segment {self.path!r} is locked")
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line + b"\n")
            os.fdatasync(descriptor)
            return os.lseek(descriptor, 0, os.SEEK_CUR)
        finally:
            os.close(descriptor)


def read_segments(root: str, *, newest_first: bool = False) -> Iterator[Segment]:
    names = sorted(name for name in os.listdir(root) if name.endswith(".jsonl"))
    for sequence, name in enumerate(reversed(names) if newest_first else names):
        yield Segment(path=os.path.join(root, name), sequence=sequence)
''',
        tokens=303,
    ),
    "json": Sample(
        text="""{
  "id": "mem_01JQ8Z6K3V9X",
  "agent": "anima",
  "region": "PROJECT",
  "project": "github.com/acme/shop",
  "kind": "ARCHITECTURAL",
  "impact": "HIGH",
  "importance": 0.7,
  "tags": [
    "postgresql",
    "migrations"
  ],
  "content": "We decided to use PostgreSQL instead of SQLite because concurrent writers block each other.",
  "created_at": "2026-03-02T09:14:55Z",
  "files_modified": [
    "src/store/postgres.py",
    "src/store/schema/001_init.sql"
  ],
  "access_count": 12,
  "superseded_by": null,
  "pinned": false,
  "citations": [
    {
      "path": "src/store/protocol.py",
      "line": 41,
      "end": 58,
      "hash": "9f86d081884c7d65"
    }
  ]
}""",
        tokens=241,
    ),
    "log": Sample(
        text="""2026-03-02 09:14:51,204 INFO  limpet.store journal opened path=/home/jo/.limpet/journal/4f2a/000017.jsonl size=184320
2026-03-02 09:14:51,377 DEBUG limpet.recall query="default port" candidates=25 took=3.2ms
2026-03-02 09:14:52,018 WARNING limpet.hooks payload without session id, using transcript path instead
2026-03-02 09:14:55,731 ERROR limpet.store checksum mismatch at line 2041: expected 8c1f02ab, found 00000000
Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/limpet/store/journal.py", line 212, in read_line
    raise StoreDamaged(segment, number)
limpet.errors.StoreDamaged: segment 000017.jsonl is damaged at line 2041; run `limpet doctor --repair`
2026-03-02 09:14:55,733 INFO  limpet.cli exit code 1 after 4.61s
""",
        tokens=255,
    ),
    "markdown": Sample(
        text="""## Installing

1. Run `uv tool install limpet` (Python 3.11 or newer).
2. In your project, run `limpet init`. It writes **three** files and tells you which:
   - `.claude/settings.json` – the hooks
   - `.mcp.json` – the MCP server
   - `.limpet.toml` – settings, all commented out
3. Start a session. Ask *"what do you remember?"*

| setting | default | meaning |
|---|---|---|
| `capture.gate` | 0.30 | how memorable something must be to be kept |
| `inject.budget` | 2,000 | tokens injected at session start |

> **Note:** `limpet uninstall` puts every file back, byte for byte. See [the guide](docs/how-to/uninstall.md).
""",
        tokens=192,
    ),
}

OTHER_SCRIPTS = {
    "chinese": Sample(
        text=(
            "我们决定使用 PostgreSQL 而不是 "
            "SQLite，因为并发写入会互相阻塞。部署之前必须先运行数据库迁移，否则服务启动时会报错。日志保存在服务器的本地磁盘上，每天晚上自动压缩，保留三十天。如果测试失败，请先检查时区设置是否正确。用户喜欢简短的回答，不需要多余的解释。"
        ),
        tokens=102,
    ),
    "japanese": Sample(
        text=(
            "データベースの移行はデプロイの前に必ず実行してください。実行しないとサーバーの起動時にエラーになりま"
            "す。ログは毎晩圧縮され、三十日間保存されます。テストが失敗した場合は、まずタイムゾーンの設定を確認し"
            "てください。ユーザーは短い回答を好みます。"
        ),
        tokens=116,
    ),
    "korean": Sample(
        text=(
            "배포하기 전에 반드시 데이터베이스 마이그레이션을 먼저 실행해야 합니다. 그렇지 않으면 서버를 시작할 때 오류가 발생합니다. 로그는 매일 밤 압축되어 삼십 일 동안 보관됩니다. "
            "테스트가 실패하면 먼저 시간대 설정을 확인하세요."
        ),
        tokens=130,
    ),
    "russian": Sample(
        text=(
            "Мы решили использовать PostgreSQL вместо SQLite, потому что одновременные записи блокируют друг "
            "друга. Перед развёртыванием обязательно запускайте миграции базы данных, иначе сервер не запустится."
            " Журналы хранятся на локальном диске и сжимаются каждую ночь. Пользователь предпочитает короткие "
            "ответы без лишних объяснений."
        ),
        tokens=151,
    ),
    "emoji": Sample(
        text=(
            "Deploy done 🚀🎉 all tests pass ✅✅ but the cache 🔥 is slow 🐢. Fix the 🐛 in `cache.py`, then ship it 🚢!"
            " 👍 Next: clean up 🗑️, add docs 📦 and lock 🔒 the release ✨."
        ),
        tokens=74,
    ),
    "german": Sample(
        text=(
            "Wir haben uns für PostgreSQL entschieden, weil sich gleichzeitige Schreibvorgänge in SQLite "
            "gegenseitig blockieren. Vor jeder Auslieferung müssen die Migrationen ausgeführt werden, sonst "
            "startet der Dienst nicht. Die Protokolle liegen auf der lokalen Festplatte und werden jede Nacht "
            "komprimiert."
        ),
        tokens=86,
    ),
}
