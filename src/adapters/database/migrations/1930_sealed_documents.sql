-- A document's bytes, once in a workspace however often they are sent, sealed under a data key named by the id. The digest is keyed.
CREATE TABLE extraction_contents (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  digest text NOT NULL,
  bytes bigint NOT NULL,
  -- False while parts are still being written.
  is_stored boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX extraction_contents_by_digest ON extraction_contents (workspace_id, digest);

CREATE TABLE extraction_parts (
  content_id text NOT NULL REFERENCES extraction_contents (id) ON DELETE CASCADE,
  part integer NOT NULL,
  sealed bytea NOT NULL,
  PRIMARY KEY (content_id, part)
);
ALTER TABLE extraction_parts ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- What people can read is sealed under a data key named by the extraction's id; file_name, schema, result and corrections stay empty.
ALTER TABLE extractions ADD COLUMN content_id text REFERENCES extraction_contents (id);
ALTER TABLE extractions ADD COLUMN documents_found integer;
ALTER TABLE extractions ADD COLUMN sealed_name text;
ALTER TABLE extractions ADD COLUMN sealed_schema text;
ALTER TABLE extractions ADD COLUMN sealed_result text;
ALTER TABLE extractions ADD COLUMN sealed_corrections text;
ALTER TABLE extractions ALTER COLUMN sealed_result SET STORAGE EXTERNAL;
ALTER TABLE extractions ALTER file_name SET DEFAULT '';
CREATE INDEX extractions_by_content ON extractions (content_id);
CREATE INDEX extractions_unsealed ON extractions (id) WHERE sealed_name IS NULL;
