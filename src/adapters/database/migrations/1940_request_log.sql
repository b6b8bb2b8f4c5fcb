-- The log of requests is read page by page, from a workspace's last day on, and a request is found by its name.
CREATE INDEX gateway_request_groups_by_workspace ON gateway_request_groups (workspace_id, day);
CREATE INDEX gateway_request_groups_by_id ON gateway_request_groups USING gin (ids);
CREATE INDEX usage_groups_by_workspace ON usage_groups (workspace_id, day);
