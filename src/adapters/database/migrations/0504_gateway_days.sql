-- What the requests of a day come to, per model: reports read these few rows, however many requests there were.
CREATE TABLE gateway_days (
  workspace_id text NOT NULL,
  day date NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  input_tokens numeric NOT NULL,
  output_tokens numeric NOT NULL,
  cost numeric NOT NULL,
  charge numeric NOT NULL,
  requests bigint NOT NULL
);
-- By a digest: names of models come from outside, and an index refuses long ones.
CREATE UNIQUE INDEX gateway_days_by_workspace ON gateway_days (workspace_id, day, md5(model));

INSERT INTO gateway_days
  SELECT workspace_id, (at AT TIME ZONE 'UTC')::date, model, max(provider), sum(input_tokens), sum(output_tokens), sum(cost),
    sum(charge), count(*)
  FROM gateway_requests
  GROUP BY 1, 2, 3;
