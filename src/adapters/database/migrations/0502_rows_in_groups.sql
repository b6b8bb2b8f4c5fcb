-- Rows of requests come in groups from journals, and a mark tells how far a journal has been brought in. So no row needs a name of
-- its own to be brought in once, and the two indices that each row paid for become one that costs next to nothing.
CREATE TABLE usage_marks (
  journal text PRIMARY KEY,
  position bigint NOT NULL
);

CREATE TABLE credit_marks (
  journal text PRIMARY KEY,
  position bigint NOT NULL
);

ALTER TABLE usage_records DROP COLUMN id;
DROP INDEX usage_records_by_workspace;
CREATE INDEX usage_records_by_time ON usage_records USING brin (at);

ALTER TABLE gateway_requests DROP COLUMN id;
DROP INDEX gateway_requests_by_workspace;
CREATE INDEX gateway_requests_by_time ON gateway_requests USING brin (at);
