"""Texts whose most informative sentence leaves its subject in the sentence before, and sentences that stand alone."""

from __future__ import annotations

DEPENDENT = (
    # what tells most, and the subject that it needs
    ("Redis connections are pooled. Each pool holds 12 sockets.", "12 sockets", "Redis"),
    ("The export job of the shop reads one table. The job must never run before 02:00.", "02:00", "export job"),
    ("Uploads go through the gateway in Frankfurt. The gateway rejects files above 25 MB.", "25 MB", "Uploads"),
    ("Invoices are numbered by country. Their numbers must have no gaps because of the audit.", "gaps", "Invoices"),
    ("We cache product pages at the edge. Its default lifetime is 300 s because of prices.", "300 s", "product pages"),
    ("Two workers read the mail queue. Both must use `SKIP LOCKED` because rows are shared.", "SKIP LOCKED", "mail"),
    ("There are three staging databases. One of them is read-only since 2026-03-01.", "read-only", "staging"),
    ("The importer has four stages. All of them must be idempotent because of retries.", "idempotent", "importer"),
    (
        "Snapshots are taken by the nightly script. Most are deleted after 14 days by `prune.sh`.",
        "14 days",
        "Snapshots",
    ),
    ("The mobile client calls the v1 endpoints. They must stay until 2027 because of old phones.", "2027", "mobile"),
    ("The parser of dates is strict. Fails on `31.02.` because the calendar is checked.", "31.02.", "parser"),
    ("The license check talks to the vendor. Needs port 8443 because the proxy blocks 443.", "8443", "license"),
    (
        "The schema has a version. Must be raised with every migration because clients compare it.",
        "migration",
        "schema",
    ),
    ("The vendor library is patched. These patches must be reapplied after `make vendor`.", "make vendor", "library"),
    (
        "Feature flags are read at start. Such flags need a restart because nothing reloads `flags.yaml`.",
        "restart",
        "Fe",
    ),
    (
        "Deploys go through the blue lane. Otherwise the migration fails because of the lock in `db/lock.py`.",
        "lock",
        "b",
    ),
    ("Thumbnails are made by a worker. Another worker must not touch `thumbs/` because of renames.", "thumbs/", "made"),
    ("The test server has two disks. The second disk fails above 80 % because of its controller.", "80 %", "server"),
    ("Logs of the API are shipped by Alloy. Shipping stops at 5 MB/s because of the quota.", "5 MB/s", "Alloy"),
    ("Nobody owns the old importer. Same for `legacy/export.py`, which must stay until 2027.", "2027", "importer"),
    ("Sessions are kept in signed cookies. Each cookie must stay below 4096 bytes.", "4096", "signed"),
    ("The editor saves drafts. Every draft needs 3 approvals because of the press law.", "3 approvals", "editor"),
    (
        "Releases are cut from `stable`. Neither tag nor branch may be moved, because mirrors copy them.",
        "tag",
        "stable",
    ),
)

INDEPENDENT = (
    ("The nightly job needs 3 GB.", "The nightly job fails on Sundays."),
    ("Uploads go through the gateway.", "The license server listens on port 8443."),
    ("Redis connections are pooled.", "Every service owns one table."),
    ("We moved to uv.", "Tests run with `pytest -n 2`."),
    ("Deploys are manual.", "It is forbidden to push to main."),
)
"""Two sentences each, of which the second can be told alone."""

ALONE = (
    "This project uses uv.",
    "These tests need a GPU in general, so mark them slow.",
    "Use uv here, never pip.",
    "It is important to run the migrations first.",
    "It's forbidden to push to main.",
    "Instead of Redis we use PostgreSQL.",
    "Both PostgreSQL and Redis run in containers.",
    "If a test is slow, mark it.",
    "Only maintainers may merge.",
    "No hardcoded values.",
    "For this project we use uv.",
    "The staging server is read-only.",
    "That way lies madness: never edit `dist/` by hand.",
    "3 replicas are enough for staging.",
    "不要创建额外的md文档",
)

POINTING = (
    "It should be able to take more types in the future.",
    "That just requires that we extend the table.",
    "It should follow this guideline.",
    "They must stay below 4 MB.",
    "Same for the AI agents.",
    "Likewise should you do with vendors.",
    "Otherwise the build breaks.",
    "yes, it should be generated from $HOME",
    "no, it should be the worktree",
    "These are wrong.",
    "thats not the branch I was looking for",
    "5 seems like a great one to tackle.",
    "1 - yeah, 2 - definitely, go for it.",
    "3 but apply the changes to this branch.",
    "Option 2 sounds right.",
    "lets do that",
    "for that, let's create a configuration",
    "After that can you compile the project.",
    "we need to use that.",
)
