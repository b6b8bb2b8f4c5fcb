-- Whose links end when somebody leaves.
CREATE INDEX access_links_by_maker ON access_links (created_by);

-- Limits that an admin or the operator has set: the member whose key it is cannot lift them.
ALTER TABLE api_keys ADD COLUMN rules_by_admin boolean NOT NULL DEFAULT false;
UPDATE api_keys SET rules_by_admin = true WHERE EXISTS (
  SELECT 1 FROM audit_log
  WHERE action = 'key-changed' AND details->>'key' = api_keys.id AND actor_id IS DISTINCT FROM api_keys.created_by
);
