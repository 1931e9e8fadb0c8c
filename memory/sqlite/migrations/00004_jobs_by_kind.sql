-- Whoever claims jobs asks for certain kinds. Those of other kinds, which may have piled up
-- because nobody works on them any more, are not to be read each time.

-- +goose Up
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE dead = 0;

-- +goose Down
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (run_at) WHERE dead = 0;
