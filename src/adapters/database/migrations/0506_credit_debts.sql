-- What requests cost beyond what could be taken when they ended. Paid from the balance as soon as it has anything free, and until
-- then no further request is served.
ALTER TABLE credit_accounts ADD COLUMN debt bigint NOT NULL DEFAULT 0 CHECK (debt >= 0);
