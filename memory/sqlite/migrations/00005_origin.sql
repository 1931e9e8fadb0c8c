-- The message and the call that it led to: a message that comes again makes no call twice.

-- +goose Up
ALTER TABLE plan_steps ADD COLUMN origin TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX plan_steps_by_origin ON plan_steps (session, origin) WHERE origin <> '';

-- +goose Down
DROP INDEX plan_steps_by_origin;
ALTER TABLE plan_steps DROP COLUMN origin;
