-- What a key may do beyond its scopes. Of its requests in one day (UTC), in pico-dollars.
ALTER TABLE api_keys ADD COLUMN daily_limit bigint CHECK (daily_limit >= 0);
-- Tokens of the gateway's models, read and written, in any minute.
ALTER TABLE api_keys ADD COLUMN tokens_per_minute integer CHECK (tokens_per_minute > 0);
-- Names of the gateway's models, in which * stands for anything; null for every model.
ALTER TABLE api_keys ADD COLUMN models text[];
