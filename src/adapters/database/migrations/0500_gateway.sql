-- Part of a balance is lent to servers, which spend it from memory. `balance` stays the sum of the ledger.
ALTER TABLE credit_accounts ADD COLUMN leased bigint NOT NULL DEFAULT 0 CHECK (leased >= 0);
ALTER TABLE credit_accounts ADD CONSTRAINT credit_accounts_leased_is_covered CHECK (leased <= balance);

CREATE TABLE credit_leases (
  owner text NOT NULL,
  workspace_id text NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  amount bigint NOT NULL CHECK (amount >= 0),
  renewed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, workspace_id)
);

-- One row per request that was served: tokens, cost and charge, never any content.
CREATE TABLE gateway_requests (
  id text PRIMARY KEY,
  at timestamptz NOT NULL,
  workspace_id text NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  upstream text NOT NULL,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  cost bigint NOT NULL CHECK (cost >= 0),
  charge bigint NOT NULL CHECK (charge >= 0),
  cost_source text NOT NULL
);
CREATE INDEX gateway_requests_by_workspace ON gateway_requests (workspace_id, at);
