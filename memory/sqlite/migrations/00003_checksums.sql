-- Checksums of the rows that had none. NULL: written by an older release, and not covered
-- until it is written again.

-- +goose Up
ALTER TABLE sessions ADD COLUMN crc INTEGER;
ALTER TABLE jobs ADD COLUMN crc INTEGER;

-- +goose Down
ALTER TABLE jobs DROP COLUMN crc;
ALTER TABLE sessions DROP COLUMN crc;
