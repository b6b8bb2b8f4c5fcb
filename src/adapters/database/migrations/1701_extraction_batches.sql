-- Which archive a document came in.
ALTER TABLE extractions ADD COLUMN batch_id text;
CREATE INDEX extractions_batch ON extractions (workspace_id, batch_id) WHERE batch_id IS NOT NULL;
