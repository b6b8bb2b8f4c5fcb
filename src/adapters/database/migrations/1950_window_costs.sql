-- What each of `taken` counts for, so that one kind of window serves requests and tokens. Null where a server of the version before
-- wrote the row: 1 each. That version also counts in `token_uses`, which nothing else reads any more.
ALTER TABLE rate_windows ADD COLUMN costs double precision[];
