-- People: who may sign in, to which workspaces they belong, and by which browsers they are signed in.
CREATE TABLE users (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL UNIQUE,
  password_hash text NOT NULL,
  is_installation_owner boolean NOT NULL DEFAULT false,
  -- The second factor counts from when its first code was confirmed.
  totp_secret text,
  totp_confirmed_at timestamptz,
  -- The last code that was used, as its number of half minutes since 1970: a code works once.
  totp_step bigint NOT NULL DEFAULT 0,
  recovery_hashes text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('member', 'admin', 'owner')),
  joined_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE user_sessions (
  id text PRIMARY KEY,
  -- SHA-256 of the cookie.
  hash text NOT NULL UNIQUE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX user_sessions_by_user ON user_sessions (user_id);

-- Links that do one thing once: set the installation up, accept an invitation, choose a new password.
CREATE TABLE access_links (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset')),
  hash text NOT NULL UNIQUE,
  workspace_id text REFERENCES workspaces (id) ON DELETE CASCADE,
  user_id text REFERENCES users (id) ON DELETE CASCADE,
  email text,
  role text CHECK (role IN ('member', 'admin', 'owner')),
  removes_second_factor boolean NOT NULL DEFAULT false,
  created_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_links_by_workspace ON access_links (workspace_id);

-- Who did what. Names are kept as they were: the people and things may be gone.
CREATE TABLE audit_log (
  id text PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  workspace_id text,
  workspace text,
  actor_id text,
  actor text NOT NULL,
  actor_email text,
  action text NOT NULL,
  target text,
  details jsonb NOT NULL DEFAULT '{}',
  address text
);
CREATE INDEX audit_log_by_workspace ON audit_log (workspace_id, at);
CREATE INDEX audit_log_by_time ON audit_log (at);

ALTER TABLE api_keys ADD COLUMN created_by text;
-- Of a key's requests in one calendar month (UTC), in pico-dollars.
ALTER TABLE api_keys ADD COLUMN monthly_limit bigint CHECK (monthly_limit >= 0);
-- The browser that a key of the playground belongs to.
ALTER TABLE api_keys ADD COLUMN session_id text;
CREATE INDEX api_keys_by_session ON api_keys (session_id) WHERE session_id IS NOT NULL;

ALTER TABLE workspaces ADD COLUMN low_balance bigint CHECK (low_balance >= 0);

-- What the gateway requests of a key come to on a day (UTC): limits and lists read these few rows.
CREATE TABLE key_days (
  key_id text NOT NULL,
  day date NOT NULL,
  charge numeric NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (key_id, day)
);
INSERT INTO key_days
  SELECT key_id, day, sum(charge), count(*) FROM gateway_requests GROUP BY key_id, day;
