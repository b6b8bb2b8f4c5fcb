-- What the webhooks of a workspace are signed with. Receivers have it too, so it is stored as it is.
CREATE TABLE extraction_webhook_secrets (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
  secret text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
