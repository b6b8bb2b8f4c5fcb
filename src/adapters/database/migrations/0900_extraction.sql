-- Documents sent for extraction, with their results. Deleting a row removes its file and its result.
CREATE TABLE extractions (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  key_id text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'processing', 'completed', 'failed')),
  file_name text NOT NULL,
  template_id text,
  template_version integer,
  document_type text,
  pages integer,
  confidence double precision,
  result json,
  error jsonb,
  webhook_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX extractions_by_workspace ON extractions (workspace_id, created_at DESC, id);
CREATE INDEX extractions_by_age ON extractions (created_at);

CREATE TABLE extraction_files (
  extraction_id text PRIMARY KEY REFERENCES extractions (id) ON DELETE CASCADE,
  bytes bytea NOT NULL
);
-- Documents are compressed already; trying again would cost seconds on large ones.
ALTER TABLE extraction_files ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Templates people wrote; every version is kept.
CREATE TABLE extraction_templates (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  definition json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX extraction_templates_by_workspace ON extraction_templates (workspace_id, created_at DESC, id);

CREATE TABLE extraction_template_versions (
  template_id text NOT NULL REFERENCES extraction_templates (id) ON DELETE CASCADE,
  version integer NOT NULL,
  definition json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (template_id, version)
);
