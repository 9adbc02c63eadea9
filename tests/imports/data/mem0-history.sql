BEGIN TRANSACTION;
CREATE TABLE history (
                        id           TEXT PRIMARY KEY,
                        memory_id    TEXT,
                        old_memory   TEXT,
                        new_memory   TEXT,
                        event        TEXT,
                        created_at   DATETIME,
                        updated_at   DATETIME,
                        is_deleted   INTEGER,
                        actor_id     TEXT,
                        role         TEXT
                    );
INSERT INTO history VALUES('4ce7dd5a-e16d-43f0-8441-0d8308189bef','5ed249de-5fbb-490d-a872-8adb83254c7a',NULL,'Likes tea in the morning','ADD','2026-11-16T12:32:05.314635+00:00','2026-11-16T12:32:05.314635+00:00',0,NULL,'user');
INSERT INTO history VALUES('44eb9a9d-5e63-4ae6-af01-611419fc8b9e','d1dd03b8-6281-42d1-864d-61c710346334',NULL,'Owns a small dinghy','ADD','2026-11-16T12:32:05.390631+00:00','2026-11-16T12:32:05.390631+00:00',0,NULL,'user');
INSERT INTO history VALUES('2c85091d-367b-49e3-aec2-8cac1c08c78d','42ffa0d4-413b-44c7-a1da-04cac7c36f0c',NULL,'Works on the billing service','ADD','2026-11-16T12:32:05.425350+00:00','2026-11-16T12:32:05.425350+00:00',0,NULL,'user');
INSERT INTO history VALUES('432bc763-7d41-4a93-9530-e10924c5e221','5ed249de-5fbb-490d-a872-8adb83254c7a','Likes tea in the morning','Likes coffee in the morning','UPDATE','2026-11-16T12:32:05.314635+00:00','2026-11-16T12:32:05.434507+00:00',0,NULL,'user');
INSERT INTO history VALUES('ea9494f0-9ac3-49aa-9d0d-bee331b951cd','42ffa0d4-413b-44c7-a1da-04cac7c36f0c','Works on the billing service',NULL,'DELETE','2026-11-16T12:32:05.425350+00:00','2026-11-16T12:32:05.460119+00:00',1,NULL,'user');
COMMIT;
