PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE agents (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    definition_path TEXT,
    signing_key TEXT,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO agents VALUES('anima','Anima',NULL,NULL,'2026-11-16T08:49:46.818243');
CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    path TEXT NOT NULL UNIQUE,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO projects VALUES('shop','shop','/srv/shop','2026-11-16T08:49:46.838556');
INSERT INTO projects VALUES('boat','boat','/srv/boat','2026-11-16T08:49:46.850771');
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    agent_id TEXT NOT NULL,
    region TEXT NOT NULL CHECK (region IN ('AGENT', 'PROJECT')),
    project_id TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('EMOTIONAL', 'ARCHITECTURAL', 'LEARNINGS', 'ACHIEVEMENTS')),
    content TEXT NOT NULL,
    original_content TEXT NOT NULL,
    impact TEXT NOT NULL CHECK (impact IN ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
    confidence REAL DEFAULT 1.0,
    created_at TIMESTAMP NOT NULL,
    last_accessed TIMESTAMP NOT NULL,
    previous_memory_id TEXT,
    version INTEGER DEFAULT 1,
    superseded_by TEXT,
    signature TEXT,
    token_count INTEGER,

    FOREIGN KEY (agent_id) REFERENCES agents(id),
    FOREIGN KEY (project_id) REFERENCES projects(id),
    FOREIGN KEY (previous_memory_id) REFERENCES memories(id),
    FOREIGN KEY (superseded_by) REFERENCES memories(id),
    CHECK (region = 'AGENT' OR project_id IS NOT NULL)
);
INSERT INTO memories VALUES('a044e1f4-6116-4e0e-b58d-b948ecb21d19','anima','PROJECT','shop','ARCHITECTURAL','The basket lives in Redis','The basket lives in Redis since spring','CRITICAL',1.0,'2026-01-03T00:00:00','2026-01-03T00:00:00',NULL,1,NULL,NULL,NULL);
INSERT INTO memories VALUES('14c50804-e53d-42a7-9933-fbebd6ec2793','anima','PROJECT','shop','ARCHITECTURAL','The basket lives in cookies','The basket lives in cookies','HIGH',1.0,'2026-01-02T03:04:05','2026-01-02T03:04:05',NULL,1,'a044e1f4-6116-4e0e-b58d-b948ecb21d19',NULL,NULL);
INSERT INTO memories VALUES('6e579e1f-712d-4927-b749-d4dc5d121cbc','anima','AGENT',NULL,'EMOTIONAL','Likes dry humour','Likes dry humour','LOW',1.0,'2026-01-04T00:00:00','2026-01-04T00:00:00',NULL,1,NULL,NULL,NULL);
INSERT INTO memories VALUES('2b453616-ee3d-4755-aefa-4102bc33a806','anima','PROJECT','boat','LEARNINGS','The rudder is on the left','The rudder is on the left','MEDIUM',1.0,'2026-01-05T00:00:00','2026-01-05T00:00:00',NULL,1,NULL,NULL,NULL);
CREATE INDEX idx_memories_agent_region ON memories(agent_id, region);
CREATE INDEX idx_memories_project ON memories(project_id);
CREATE INDEX idx_memories_kind ON memories(kind);
CREATE INDEX idx_memories_created ON memories(created_at DESC);
CREATE INDEX idx_memories_impact ON memories(impact);
CREATE INDEX idx_memories_superseded ON memories(superseded_by);
COMMIT;
