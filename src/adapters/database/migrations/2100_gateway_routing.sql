-- Who serves which model, and in which order. The settings name some; these rows add to them, or stand in for one of the same name.
CREATE TABLE gateway_routing (
  id integer PRIMARY KEY CHECK (id = 1),
  strategy text NOT NULL DEFAULT 'order',
  -- Grows with every change, so that servers notice what they did not hear of.
  version bigint NOT NULL DEFAULT 0
);

CREATE TABLE gateway_upstreams (
  name text PRIMARY KEY,
  kind text NOT NULL,
  provider text,
  url text NOT NULL,
  prefix text,
  models jsonb NOT NULL DEFAULT '[]',
  allowed jsonb,
  prices jsonb NOT NULL DEFAULT '{}',
  weight integer NOT NULL DEFAULT 1,
  position integer NOT NULL DEFAULT 0,
  first_byte_ms integer,
  first_token_ms integer,
  silence_ms integer,
  is_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- No reference to gateway_upstreams: an upstream of the settings may have keys here, too.
CREATE TABLE gateway_upstream_keys (
  id text PRIMARY KEY,
  upstream text NOT NULL,
  name text NOT NULL,
  sealed text NOT NULL,
  hint text NOT NULL,
  requests_per_minute integer,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX gateway_upstream_keys_by_upstream ON gateway_upstream_keys (upstream);

CREATE TABLE gateway_aliases (
  name text PRIMARY KEY,
  strategy text NOT NULL,
  models jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
