-- Which of two answers about a lease is the newer one: whatever changes a row takes the next number while it holds the row's lock.
CREATE SEQUENCE credit_lease_versions;
ALTER TABLE credit_leases ADD COLUMN version bigint NOT NULL DEFAULT nextval('credit_lease_versions');
ALTER SEQUENCE credit_lease_versions OWNED BY credit_leases.version;

-- A lease that was given back after it had been reclaimed was taken off twice.
LOCK TABLE credit_leases, credit_accounts IN SHARE ROW EXCLUSIVE MODE;
UPDATE credit_accounts AS account SET leased = held.total
FROM (
  SELECT a.workspace_id, coalesce(sum(l.amount), 0)::bigint AS total
  FROM credit_accounts a LEFT JOIN credit_leases l ON l.workspace_id = a.workspace_id GROUP BY a.workspace_id
) AS held
WHERE held.workspace_id = account.workspace_id AND account.leased <> held.total AND held.total <= account.balance;
