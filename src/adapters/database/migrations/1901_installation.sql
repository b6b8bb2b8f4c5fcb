-- Which installation this database belongs to: its data folders hold the same id, so that a command with the wrong address is noticed.
-- The first server writes it; a database that is copied from the template has none.
CREATE TABLE installation (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id text NOT NULL
);
