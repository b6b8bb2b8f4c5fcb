-- Large documents are written in parts, so that nobody waits for the whole of one.
ALTER TABLE extraction_files ADD COLUMN part integer NOT NULL DEFAULT 0;
ALTER TABLE extraction_files DROP CONSTRAINT extraction_files_pkey;
ALTER TABLE extraction_files ADD PRIMARY KEY (extraction_id, part);
-- False while parts are still being written; what stays false was broken off and is removed.
ALTER TABLE extractions ADD COLUMN is_stored boolean NOT NULL DEFAULT true;

-- A request that is sent twice with one Idempotency-Key is one request. Both are hashes.
ALTER TABLE extractions ADD COLUMN request_key text;
ALTER TABLE extractions ADD COLUMN request_hash text;
CREATE UNIQUE INDEX extractions_by_request_key ON extractions (workspace_id, request_key) WHERE request_key IS NOT NULL;

-- What people put right, with who and when.
ALTER TABLE extractions ADD COLUMN corrections json;

-- Whose turn a job takes: those who have the fewest running go first.
ALTER TABLE jobs ADD COLUMN turn_of text;
