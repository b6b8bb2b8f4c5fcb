-- What callers ask their costs by: the name of a request, and the tag they gave it. Requests of before have neither.
ALTER TABLE gateway_request_groups ADD COLUMN tag text NOT NULL DEFAULT '', ADD COLUMN ids text[];
ALTER TABLE gateway_request_groups ALTER ids SET STORAGE EXTERNAL;
CREATE OR REPLACE VIEW gateway_requests AS
  SELECT day, (day + at_ms * interval '1 millisecond') AT TIME ZONE 'UTC' AS at, workspace_id, key_id, endpoint, model, provider,
    upstream, input_tokens, output_tokens, cost, charge, cost_source, tag, id
  FROM (
    SELECT day, workspace_id, key_id, endpoint, model, provider, upstream, cost_source, tag, unnest(at_ms) AS at_ms,
      unnest(input_tokens) AS input_tokens, unnest(output_tokens) AS output_tokens, unnest(cost) AS cost, unnest(charge) AS charge,
      unnest(ids) AS id
    FROM gateway_request_groups
  ) AS requests;
