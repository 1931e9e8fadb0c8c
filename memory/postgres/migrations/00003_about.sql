-- What is said of a session as a whole, besides its title and tags.

-- +goose Up
ALTER TABLE sessions ADD COLUMN system_prompt bytea NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN metadata bytea NOT NULL DEFAULT ''; -- JSON or empty
ALTER TABLE sessions ADD COLUMN expires_at bigint NOT NULL DEFAULT 0; -- 0: never
CREATE INDEX sessions_expire ON sessions (expires_at) WHERE expires_at > 0;

-- +goose Down
DROP INDEX sessions_expire;
ALTER TABLE sessions DROP COLUMN expires_at;
ALTER TABLE sessions DROP COLUMN metadata;
ALTER TABLE sessions DROP COLUMN system_prompt;
