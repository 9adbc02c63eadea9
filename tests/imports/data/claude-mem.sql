BEGIN TRANSACTION;
CREATE TABLE sdk_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_session_id TEXT NOT NULL,
        memory_session_id TEXT UNIQUE,
        project TEXT NOT NULL,
        platform_source TEXT NOT NULL DEFAULT 'claude',
        user_prompt TEXT,
        started_at TEXT NOT NULL,
        started_at_epoch INTEGER NOT NULL,
        completed_at TEXT,
        completed_at_epoch INTEGER,
        status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active'
      , worker_port INTEGER, prompt_counter INTEGER DEFAULT 0, custom_title TEXT, observed_model TEXT, observed_billing TEXT);
INSERT INTO sdk_sessions VALUES(1,'content-1','memory-1','shop','claude','Keep the basket after a restart','2026-11-16T12:48:54.491Z',1794833334491,NULL,NULL,'active',NULL,0,NULL,NULL,NULL);
CREATE TABLE IF NOT EXISTS "session_summaries" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        request TEXT,
        investigated TEXT,
        learned TEXT,
        completed TEXT,
        next_steps TEXT,
        files_read TEXT,
        files_edited TEXT,
        notes TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
      );
INSERT INTO session_summaries VALUES(1,'memory-1','shop','Keep the basket','The session store','Redis keeps the key for a week.','The key no longer changes.','Measure the load.','["src/tax.py"]','["src/basket.py"]',NULL,1,'2026-11-16T12:48:54.511Z',1794833334511,0,NULL,NULL,NULL,NULL,'1');
CREATE TABLE IF NOT EXISTS "observations" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        text TEXT,
        type TEXT NOT NULL,
        title TEXT,
        subtitle TEXT,
        facts TEXT,
        narrative TEXT,
        concepts TEXT,
        files_read TEXT,
        files_modified TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT, relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE
      );
INSERT INTO observations VALUES(1,'memory-1','shop',NULL,'bugfix','Basket survives a restart','Session key','["The key is kept in Redis now"]','The basket was lost because the session key changed at every restart.','["problem-solution","gotcha"]','[]','["src/basket.py"]',1,'2026-11-16T12:48:54.511Z',1794833334511,0,'b6e58f554b207704',NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1');
INSERT INTO observations VALUES(2,'memory-1','shop',NULL,'discovery','Tax is rounded per line',NULL,'[]','The invoice rounds the tax of each line, so the sum may differ by a cent.','["how-it-works"]','["src/tax.py"]','[]',1,'2026-11-16T12:48:54.511Z',1794833334511,0,'0bde9876823dd31e',NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'1');
CREATE TABLE IF NOT EXISTS "user_prompts" (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_db_id INTEGER,
        content_session_id TEXT NOT NULL,
        prompt_number INTEGER NOT NULL,
        prompt_text TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, synced_at INTEGER, origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1',
        FOREIGN KEY(session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE
      );
INSERT INTO user_prompts VALUES(1,1,'content-1',1,'please fix the basket','2026-11-16T12:48:54.510Z',1794833334510,NULL,NULL,NULL,'1');
COMMIT;
