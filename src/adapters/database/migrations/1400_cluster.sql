-- What several servers must agree about and nobody needs for long.

-- One row for each window of a rate limit: when the requests that still count were made, in milliseconds since 1970.
CREATE TABLE rate_windows (
  name text PRIMARY KEY,
  taken double precision[] NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE INDEX rate_windows_ends_at ON rate_windows (ends_at);

-- Which server began the request with an Idempotency-Key. The reply itself is in that server's memory only.
CREATE TABLE replay_claims (
  -- A hash of the key's id with the Idempotency-Key.
  name text PRIMARY KEY,
  owner text NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE INDEX replay_claims_ends_at ON replay_claims (ends_at);
