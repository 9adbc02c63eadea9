-- The index: a view of the journal that can be deleted at any time. Raise VERSION in open.py when it changes.

-- A second copy of every change. All other rows are computed from it, and the journal can be repaired from it.
CREATE TABLE change (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  root TEXT NOT NULL,
  subject TEXT, -- NULL if it is the root
  verb TEXT NOT NULL,
  source INTEGER NOT NULL,
  start INTEGER NOT NULL,
  line BLOB NOT NULL -- packed
);
CREATE INDEX change_by_root ON change (root);
-- For queries about rare kinds of changes.
CREATE INDEX change_by_verb ON change (verb, id) WHERE verb <> 'admit';
-- The names of the segments from which the changes were read.
CREATE TABLE source (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- A cursor for each segment: how far it was applied, and how to recognise that position again.
CREATE TABLE segment (
  name TEXT PRIMARY KEY,
  applied INTEGER NOT NULL,
  records INTEGER NOT NULL,
  last_start INTEGER NOT NULL,
  last_hash TEXT NOT NULL,
  torn INTEGER NOT NULL,
  modified INTEGER NOT NULL
) WITHOUT ROWID;

-- The tokens of scopes. Tokens are long, so other tables contain the key.
CREATE TABLE scope (key INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE);

CREATE TABLE memory (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  root TEXT, -- NULL if it is the id
  scope INTEGER NOT NULL,
  agent TEXT NOT NULL,
  region TEXT NOT NULL,
  project TEXT,
  app TEXT,
  kind TEXT NOT NULL,
  type TEXT NOT NULL,
  impact INTEGER NOT NULL,
  sensitivity TEXT NOT NULL,
  origin TEXT NOT NULL,
  phase INTEGER NOT NULL,
  tier TEXT NOT NULL,
  pinned INTEGER NOT NULL,
  session TEXT,
  branch TEXT,
  created INTEGER NOT NULL,
  expires INTEGER,
  status TEXT NOT NULL,
  twin INTEGER NOT NULL DEFAULT 0, -- whether an earlier live memory of the scope has the same text
  reach INTEGER NOT NULL, -- at which moments it may be shown to a model
  feedback TEXT, -- the latest feedback on it after it was shown
  signs TEXT, -- of prompt injection; NULL if other rules have looked for them
  scale TEXT, -- NULL means `project`
  earned INTEGER NOT NULL,
  superseded_by TEXT,
  made_at, -- the commit: bytes, or text if it is no hexadecimal number
  length INTEGER NOT NULL, -- of the original text, in characters
  content_hash BLOB NOT NULL, -- the first 128 bits
  simhash INTEGER,
  tokens INTEGER NOT NULL,
  birth INTEGER, -- the key of the change whose line contains the memory; then there is no body
  body BLOB, -- packed
  checksum INTEGER NOT NULL
);
-- A list of memories and upkeep count memories with this index, without reading rows. It also finds the newest memory
-- of a kind.
CREATE INDEX memory_by_scope ON memory (scope, status, created, id, kind, phase, twin, sensitivity, expires);
CREATE INDEX memory_by_hash ON memory (content_hash);
CREATE INDEX memory_by_root ON memory (root) WHERE root IS NOT NULL;
CREATE INDEX memory_for_start ON memory (scope, impact, created)
  WHERE reach = 2 AND status = 'live' AND NOT twin AND sensitivity = 'public' AND origin <> 'user';
CREATE INDEX memory_own_for_start ON memory (scope, impact, created)
  WHERE reach = 2 AND status = 'live' AND NOT twin AND sensitivity = 'public' AND origin = 'user';
-- The notes that wait for a decision. The start of every session counts them with this index, without reading rows.
CREATE INDEX memory_noted ON memory (scope, sensitivity, type, phase, expires)
  WHERE tier = 'noted' AND status = 'live' AND NOT twin;
-- The notes of the user's own words, some of which the start of a session tells on trial.
CREATE INDEX memory_on_trial ON memory (scope, created)
  WHERE tier = 'noted' AND origin = 'user' AND status = 'live' AND NOT twin AND sensitivity = 'public';
-- Small indexes, without which upkeep would read every memory to find a few.
CREATE INDEX memory_twin ON memory (id) WHERE twin AND status = 'live';
CREATE INDEX memory_expiring ON memory (expires, scope, status, twin, sensitivity, phase) WHERE expires IS NOT NULL;
CREATE INDEX memory_unread ON memory (scope) WHERE signs IS NULL;
CREATE INDEX memory_retired ON memory (status, id) WHERE status <> 'live';
CREATE INDEX memory_by_session ON memory (session) WHERE session IS NOT NULL;

-- The number of memories of each sort in each scope, so that a list need not count them. Memories with an expiry date
-- are not included, because their number changes with time.
CREATE TABLE census (
  scope INTEGER NOT NULL,
  status TEXT NOT NULL,
  twin INTEGER NOT NULL,
  sensitivity TEXT NOT NULL,
  phase INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (scope, status, twin, sensitivity, phase)
) WITHOUT ROWID;
CREATE TRIGGER memory_added AFTER INSERT ON memory WHEN NEW.expires IS NULL BEGIN
  INSERT OR IGNORE INTO census VALUES (NEW.scope, NEW.status, NEW.twin, NEW.sensitivity, NEW.phase, 0);
  UPDATE census SET count = count + 1 WHERE scope = NEW.scope AND status = NEW.status AND twin = NEW.twin
    AND sensitivity = NEW.sensitivity AND phase = NEW.phase;
END;
CREATE TRIGGER memory_removed AFTER DELETE ON memory WHEN OLD.expires IS NULL BEGIN
  UPDATE census SET count = count - 1 WHERE scope = OLD.scope AND status = OLD.status AND twin = OLD.twin
    AND sensitivity = OLD.sensitivity AND phase = OLD.phase;
  DELETE FROM census WHERE scope = OLD.scope AND count = 0;
END;
CREATE TRIGGER memory_changed AFTER UPDATE OF scope, status, twin, sensitivity, phase, expires ON memory BEGIN
  INSERT OR IGNORE INTO census VALUES (NEW.scope, NEW.status, NEW.twin, NEW.sensitivity, NEW.phase, 0);
  UPDATE census SET count = count + (NEW.expires IS NULL) WHERE scope = NEW.scope AND status = NEW.status
    AND twin = NEW.twin AND sensitivity = NEW.sensitivity AND phase = NEW.phase;
  UPDATE census SET count = count - (OLD.expires IS NULL) WHERE scope = OLD.scope AND status = OLD.status
    AND twin = OLD.twin AND sensitivity = OLD.sensitivity AND phase = OLD.phase;
  DELETE FROM census WHERE scope IN (OLD.scope, NEW.scope) AND count = 0;
END;

-- Tags, concepts and files of a memory, to filter by.
CREATE TABLE facet (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  memory INTEGER NOT NULL,
  PRIMARY KEY (name, value, memory)
) WITHOUT ROWID;

-- Bands of the simhash, each combined with its scope. Similar texts have at least one band in common.
CREATE TABLE band (
  value INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  PRIMARY KEY (value, memory)
) WITHOUT ROWID;

CREATE TABLE link (
  source TEXT NOT NULL,
  relation TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (source, relation, target)
) WITHOUT ROWID;
CREATE INDEX link_by_target ON link (target);
-- The memories that a model stored in its words, of what the user had stated.
CREATE INDEX link_of_evidence ON link (source) WHERE relation = 'evidence';

-- The memories from which another memory was made: if one of them is forgotten, that memory is hidden too, and if one
-- is purged, it is also purged. Also the sources of a fact: if all of them are purged, the fact is also purged.
CREATE TABLE descent (
  ancestor TEXT NOT NULL,
  memory TEXT NOT NULL,
  PRIMARY KEY (ancestor, memory)
) WITHOUT ROWID;
CREATE INDEX descent_by_memory ON descent (memory);

CREATE TABLE access (
  memory TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  last INTEGER NOT NULL,
  session TEXT,
  named TEXT NOT NULL -- the receipt that named the session
) WITHOUT ROWID;
CREATE TABLE receipt (
  id TEXT PRIMARY KEY,
  session TEXT,
  segment TEXT NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE tally ( -- the sums of old receipts of a segment
  id TEXT PRIMARY KEY,
  segment TEXT NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX receipt_by_session ON receipt (session, id) WHERE session IS NOT NULL;
CREATE TABLE shown (memory TEXT NOT NULL, receipt TEXT NOT NULL, PRIMARY KEY (memory, receipt)) WITHOUT ROWID;

CREATE TABLE fact (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  agent TEXT NOT NULL,
  subject TEXT NOT NULL,
  predicate TEXT NOT NULL,
  object TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended INTEGER,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX fact_by_subject ON fact (scope, subject, predicate);

CREATE TABLE antigen (
  id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  agent TEXT NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX antigen_by_scope ON antigen (scope);

CREATE TABLE project (id TEXT PRIMARY KEY, name TEXT NOT NULL, agent TEXT) WITHOUT ROWID;
CREATE TABLE project_key (key TEXT PRIMARY KEY, project TEXT NOT NULL, change TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE agent (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, first_seen TEXT NOT NULL, definition TEXT, key_id TEXT
) WITHOUT ROWID;
CREATE TABLE session (
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, project TEXT, first TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_by_project ON session (project, first);
CREATE INDEX session_by_agent ON session (agent, first);
-- Days (since 1970) on which a project, or an agent, had a session: memories age by these and not by the calendar.
CREATE TABLE active_day (
  owner TEXT NOT NULL, day INTEGER NOT NULL, session TEXT NOT NULL, PRIMARY KEY (owner, day, session)
) WITHOUT ROWID;
CREATE INDEX active_day_by_session ON active_day (session);

-- Vectors of live memories: their signs (`sketch`) for a first, coarse search, and the full vectors for a second one.
-- `meta` names the table of word vectors from which they were made. Memories in `unembedded` have no vector yet.
-- A shelf is a number for a scope, a sensitivity and whether the memory is archived.
CREATE TABLE sketch (shelf INTEGER NOT NULL, key INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (shelf, key)) WITHOUT ROWID;
CREATE TABLE vector (key INTEGER PRIMARY KEY, code BLOB NOT NULL);
CREATE TABLE unembedded (key INTEGER PRIMARY KEY);
-- Additional vectors of the sentence encoder, if it is installed. `meta` names the version of the encoder.
CREATE TABLE sentence (key INTEGER PRIMARY KEY, code BLOB NOT NULL);
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- Defects in the changes of a subject: a broken chain, an edited payload, two versions of one change.
CREATE TABLE suspicion (subject TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (subject, reason)) WITHOUT ROWID;

-- Changes without a valid signature, in a home that has a key. `breaks` counts the breaks of the chain after them.
CREATE TABLE unproven (
  segment TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  subject TEXT NOT NULL,
  device TEXT NOT NULL,
  digest TEXT NOT NULL,
  reason TEXT NOT NULL,
  breaks INTEGER NOT NULL,
  PRIMARY KEY (segment, number)
) WITHOUT ROWID;
CREATE INDEX unproven_by_subject ON unproven (subject);
CREATE INDEX unproven_by_id ON unproven (id);
-- The last records of segments that a change vouches for, and the devices that a person has accepted by a change.
CREATE TABLE head (
  segment TEXT NOT NULL, digest TEXT NOT NULL, device TEXT NOT NULL, change TEXT NOT NULL,
  PRIMARY KEY (segment, digest, change)
) WITHOUT ROWID;
CREATE TABLE accepted (device TEXT NOT NULL, change TEXT NOT NULL, PRIMARY KEY (device, change)) WITHOUT ROWID;

CREATE VIEW trusted AS SELECT DISTINCT device FROM accepted t WHERE NOT EXISTS (
  SELECT 1 FROM unproven u WHERE u.subject = 'device:' || t.device AND u.id = t.change
);

-- Purged subjects; `done` tells whether no file contains their text any more.
CREATE TABLE purged (subject TEXT PRIMARY KEY, done INTEGER NOT NULL) WITHOUT ROWID;

-- Contentless, because the text is in other tables. The scope is a column of the index, so that a search computes no
-- ranks for memories that it may not see.
CREATE VIRTUAL TABLE words USING fts5 (
  title, subtitle, content, tags, files, scope,
  content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);

CREATE TABLE app (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  registered INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  installed INTEGER NOT NULL,
  polled TEXT NOT NULL
) WITHOUT ROWID;
-- The conversations of apps; their messages are in the table of changes.
CREATE TABLE conversation (
  id TEXT PRIMARY KEY,
  app TEXT NOT NULL,
  started INTEGER NOT NULL,
  last INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  ended INTEGER,
  settled TEXT NOT NULL, -- the change that settled it, or empty
  memory TEXT,
  created INTEGER NOT NULL,
  reason TEXT NOT NULL,
  compactions INTEGER NOT NULL,
  energy INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX conversation_by_app ON conversation (app, started, id);
CREATE INDEX conversation_unsettled ON conversation (ended) WHERE settled = '' AND ended IS NOT NULL;
-- The files of apps' memory directories as they are now; older versions are in the table of changes.
CREATE TABLE file (
  id TEXT PRIMARY KEY,
  app TEXT NOT NULL,
  path TEXT NOT NULL,
  text TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  version INTEGER NOT NULL,
  head TEXT NOT NULL, -- the last change
  deleted INTEGER NOT NULL,
  signs TEXT -- JSON; NULL if another edition of the rules found them
);
CREATE INDEX file_by_app ON file (app, deleted, path, id, bytes, created, updated, version, head);
