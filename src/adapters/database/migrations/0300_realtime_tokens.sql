-- Short-lived passes for one call or stream. Only their hashes are kept, and nothing of what is said.
CREATE TABLE realtime_tokens (
  hash text PRIMARY KEY,
  session_id text NOT NULL,
  kind text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  key_id text NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  settings jsonb NOT NULL DEFAULT '{}',
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX realtime_tokens_by_expiry ON realtime_tokens (expires_at);
