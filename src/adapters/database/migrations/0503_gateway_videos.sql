-- Videos that their callers come back for: where they are, never what was asked for. Rows go an hour after their end.
CREATE TABLE gateway_videos (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'completed', 'failed')),
  -- Whether the upstream has named its job, so that any server can ask for it.
  is_named boolean NOT NULL DEFAULT false,
  result json,
  error json,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX gateway_videos_by_end ON gateway_videos (ended_at);
