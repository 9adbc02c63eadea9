BEGIN TRANSACTION;
CREATE TABLE memories (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        content_hash TEXT UNIQUE NOT NULL,
                        content TEXT NOT NULL,
                        tags TEXT,
                        memory_type TEXT,
                        metadata TEXT,
                        created_at REAL,
                        updated_at REAL,
                        created_at_iso TEXT,
                        updated_at_iso TEXT,
                        deleted_at REAL DEFAULT NULL
                    , store TEXT DEFAULT 'default', parent_id TEXT, version INTEGER DEFAULT 1, confidence REAL DEFAULT 1.0, last_accessed INTEGER, superseded_by TEXT, embedding_pending INTEGER NOT NULL DEFAULT 0);
INSERT INTO memories VALUES(1,'870b99f2f79046fc85978c95508d41f4c848d4b8e7ba431cb9ba8670514dd20e','The nightly job reindexes the catalogue at two.','catalogue,cron','decision','{"source": "sample"}',1794833483.1075019835,1794833483.1075019835,'2026-11-16T12:51:23.107502Z','2026-11-16T12:51:23.107502Z',NULL,'default',NULL,1,1.0,NULL,NULL,0);
INSERT INTO memories VALUES(2,'0302424c57cce6ae8b991480dbaf8c87aea6b2f9eab7e384448a66c52430ab9c','Deploys go out on Thursday, after the weekly meeting.','deploy','note','{"source": "sample", "superseded_by": "5eddf17749ff2d6cc03823df1cb337aeb10008fb65ec40f593dd67a65a2cd4b4"}',1794833483.1222581863,1794833483.1222581863,'2026-11-16T12:51:23.122258Z','2026-11-16T12:51:23.122258Z',NULL,'default',NULL,1,1.0,NULL,'5eddf17749ff2d6cc03823df1cb337aeb10008fb65ec40f593dd67a65a2cd4b4',0);
INSERT INTO memories VALUES(3,'4b94e36a41b985d355c572a909ceb68e0b6acdd7dcf5703aebba2eb22c2ca14d','The staging database is restored from production every Monday.','untagged','observation','{"source": "sample"}',1794833483.1243426799,1794833483.1243426799,'2026-11-16T12:51:23.124343Z','2026-11-16T12:51:23.124343Z',NULL,'default',NULL,1,1.0,NULL,NULL,0);
INSERT INTO memories VALUES(4,'98cd75f83657d374c98c08dc83b4296469a72a1b12c6a180eaaa99ce060052ca','This memory will be deleted again.','gone','note','{"source": "sample"}',1794833483.1265819072,1794833483.1265819072,'2026-11-16T12:51:23.126582Z','2026-11-16T12:51:23.126582Z',1794833483.1287333964,'default',NULL,1,1.0,NULL,NULL,0);
INSERT INTO memories VALUES(5,'5eddf17749ff2d6cc03823df1cb337aeb10008fb65ec40f593dd67a65a2cd4b4','Deploys go out on Tuesday, after the weekly meeting.','deploy','note','{"source": "sample"}',1794833483.1665623187,1794833483.1665623187,'2026-11-16T12:51:23.166562Z','2026-11-16T12:51:23.166562Z',NULL,'default','0302424c57cce6ae8b991480dbaf8c87aea6b2f9eab7e384448a66c52430ab9c',2,1.0,NULL,NULL,0);
COMMIT;
