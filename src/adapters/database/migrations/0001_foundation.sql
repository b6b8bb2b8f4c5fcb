-- Who may do what.
CREATE TABLE workspaces (
  id text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  gateway_plan text NOT NULL DEFAULT 'FREE' CHECK (gateway_plan IN ('FREE', 'PLUS', 'PRO', 'ENTERPRISE')),
  extraction_plan text NOT NULL DEFAULT 'Free' CHECK (extraction_plan IN ('Free', 'Starter', 'Professional', 'Enterprise')),
  extraction_per_hour integer CHECK (extraction_per_hour > 0),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  hash text NOT NULL UNIQUE,
  hint text NOT NULL,
  scopes text[] NOT NULL,
  rate_per_minute integer CHECK (rate_per_minute > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX api_keys_by_workspace ON api_keys (workspace_id);

-- What was done: route, key, duration, voice, language, status and token counts, never any content.
CREATE TABLE usage_records (
  id text PRIMARY KEY,
  at timestamptz NOT NULL,
  workspace_id text,
  key_id text,
  service text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  duration_ms integer NOT NULL,
  voice text,
  language text,
  model text,
  input_tokens integer,
  output_tokens integer,
  cached_tokens integer,
  audio_ms integer
);
CREATE INDEX usage_records_by_workspace ON usage_records (workspace_id, at);

-- Money, in pico-dollars. `balance` is what may still be taken; the ledger only ever grows.
CREATE TABLE credit_accounts (
  workspace_id text PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
  balance bigint NOT NULL DEFAULT 0 CHECK (balance >= 0),
  lifetime_spend bigint NOT NULL DEFAULT 0 CHECK (lifetime_spend >= 0)
);

CREATE TABLE credit_ledger (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT now(),
  kind text NOT NULL CHECK (kind IN ('grant', 'charge')),
  amount bigint NOT NULL,
  note text NOT NULL DEFAULT ''
);
CREATE INDEX credit_ledger_by_workspace ON credit_ledger (workspace_id, at);

-- Work that must outlive the process that accepted it.
CREATE TABLE jobs (
  id text PRIMARY KEY,
  kind text NOT NULL,
  workspace_id text,
  payload jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'completed', 'failed')),
  attempt integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 3,
  run_at timestamptz NOT NULL DEFAULT now(),
  lease_until timestamptz,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX jobs_to_claim ON jobs (kind, run_at) WHERE state IN ('queued', 'running');
