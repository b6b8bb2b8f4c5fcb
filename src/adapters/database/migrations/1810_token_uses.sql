-- What keys with a limit of tokens a minute have used, for servers that count it together (SVC_RATE_SHARED).
CREATE TABLE token_uses (
  key_id text NOT NULL,
  -- Since 1970.
  second bigint NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (key_id, second)
);
