-- The JSON Schema that the caller wants the data in, with its references resolved.
ALTER TABLE extractions ADD COLUMN schema json;
