-- Requests of a day (UTC) that are alike and come in together are one row, their figures side by side in arrays: a row for each
-- request was most of what the database did under load. The old names show them one by one.
CREATE TABLE usage_groups (
  day date NOT NULL,
  workspace_id text,
  key_id text,
  service text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  voice text,
  language text,
  model text,
  at_ms integer[] NOT NULL,
  duration_ms integer[] NOT NULL,
  input_tokens integer[],
  output_tokens integer[],
  cached_tokens integer[],
  audio_ms integer[]
);
-- Figures that differ hardly get smaller, and trying takes longer than all the rest.
ALTER TABLE usage_groups ALTER at_ms SET STORAGE EXTERNAL, ALTER duration_ms SET STORAGE EXTERNAL,
  ALTER input_tokens SET STORAGE EXTERNAL, ALTER output_tokens SET STORAGE EXTERNAL, ALTER cached_tokens SET STORAGE EXTERNAL,
  ALTER audio_ms SET STORAGE EXTERNAL;
CREATE INDEX usage_groups_by_day ON usage_groups USING brin (day);

INSERT INTO usage_groups
  SELECT moment::date, workspace_id, key_id, service, route, status, voice, language, model,
    array_agg((extract(epoch FROM moment - moment::date) * 1000)::integer), array_agg(duration_ms), array_agg(input_tokens),
    array_agg(output_tokens), array_agg(cached_tokens), array_agg(audio_ms)
  FROM (SELECT *, at AT TIME ZONE 'UTC' AS moment FROM usage_records) AS records
  GROUP BY date_trunc('minute', moment), moment::date, workspace_id, key_id, service, route, status, voice, language, model
  ORDER BY date_trunc('minute', moment);
DROP TABLE usage_records;
CREATE VIEW usage_records AS
  SELECT day, (day + at_ms * interval '1 millisecond') AT TIME ZONE 'UTC' AS at, workspace_id, key_id, service, route, status,
    duration_ms, voice, language, model, input_tokens, output_tokens, cached_tokens, audio_ms
  FROM (
    SELECT day, workspace_id, key_id, service, route, status, voice, language, model, unnest(at_ms) AS at_ms,
      unnest(duration_ms) AS duration_ms, unnest(input_tokens) AS input_tokens, unnest(output_tokens) AS output_tokens,
      unnest(cached_tokens) AS cached_tokens, unnest(audio_ms) AS audio_ms
    FROM usage_groups
  ) AS records;

CREATE TABLE gateway_request_groups (
  day date NOT NULL,
  workspace_id text NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  model text NOT NULL,
  provider text NOT NULL,
  upstream text NOT NULL,
  cost_source text NOT NULL,
  at_ms integer[] NOT NULL,
  input_tokens bigint[] NOT NULL,
  output_tokens bigint[] NOT NULL,
  cost bigint[] NOT NULL CHECK (0 <= ALL (cost)),
  charge bigint[] NOT NULL CHECK (0 <= ALL (charge))
);
ALTER TABLE gateway_request_groups ALTER at_ms SET STORAGE EXTERNAL, ALTER input_tokens SET STORAGE EXTERNAL,
  ALTER output_tokens SET STORAGE EXTERNAL, ALTER cost SET STORAGE EXTERNAL, ALTER charge SET STORAGE EXTERNAL;
CREATE INDEX gateway_request_groups_by_day ON gateway_request_groups USING brin (day);

INSERT INTO gateway_request_groups
  SELECT moment::date, workspace_id, key_id, endpoint, model, provider, upstream, cost_source,
    array_agg((extract(epoch FROM moment - moment::date) * 1000)::integer), array_agg(input_tokens), array_agg(output_tokens),
    array_agg(cost), array_agg(charge)
  FROM (SELECT *, at AT TIME ZONE 'UTC' AS moment FROM gateway_requests) AS requests
  GROUP BY date_trunc('minute', moment), moment::date, workspace_id, key_id, endpoint, model, provider, upstream, cost_source
  ORDER BY date_trunc('minute', moment);
DROP TABLE gateway_requests;
CREATE VIEW gateway_requests AS
  SELECT day, (day + at_ms * interval '1 millisecond') AT TIME ZONE 'UTC' AS at, workspace_id, key_id, endpoint, model, provider,
    upstream, input_tokens, output_tokens, cost, charge, cost_source
  FROM (
    SELECT day, workspace_id, key_id, endpoint, model, provider, upstream, cost_source, unnest(at_ms) AS at_ms,
      unnest(input_tokens) AS input_tokens, unnest(output_tokens) AS output_tokens, unnest(cost) AS cost, unnest(charge) AS charge
    FROM gateway_request_groups
  ) AS requests;
