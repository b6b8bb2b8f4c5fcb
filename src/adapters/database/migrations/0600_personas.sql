-- Saved voices. What comes from a person's recording is sealed with a key of its own, which lies outside the database and is
-- destroyed with the persona: whatever old pages, logs and backups still hold is noise from then on.
CREATE TABLE personas (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  engine text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('engine_a', 'clone')),
  base_voice text,
  language text NOT NULL,
  tone_preset text,
  style_text text,
  status text NOT NULL CHECK (status IN ('processing', 'ready', 'failed')),
  status_reason text,
  duration_ms integer,
  ref_text_reason text,
  consent_by text,
  consent_at timestamptz,
  sealed_clip text,
  sealed_voice text,
  sealed_ref_text text,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz
);
CREATE INDEX personas_by_workspace ON personas (workspace_id, created_at DESC, id DESC);
