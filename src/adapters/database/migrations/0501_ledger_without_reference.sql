-- Postgres looked the workspace up once per charge, which was a third of what a charge costs. The account of the same workspace is
-- changed in the same transaction and holds the reference.
ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_workspace_id_fkey;
