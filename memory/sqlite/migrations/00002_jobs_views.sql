-- Background work and what tiers make of the messages. Times are microseconds since 1970.

-- +goose Up
CREATE TABLE jobs (
    session    INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    epoch      INTEGER NOT NULL,
    target_seq INTEGER NOT NULL,
    run_at     INTEGER NOT NULL,
    attempts   INTEGER NOT NULL,
    dead       INTEGER NOT NULL,
    code       TEXT NOT NULL,
    token      TEXT NOT NULL, -- of the lease, '' when nobody has it
    until      INTEGER NOT NULL,
    PRIMARY KEY (session, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_due ON jobs (run_at) WHERE dead = 0;

CREATE TABLE views (
    row     INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    tier    TEXT NOT NULL,
    id      TEXT NOT NULL,
    epoch   INTEGER NOT NULL,
    up_to   INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    data    BLOB NOT NULL,
    crc     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX views_by_name ON views (session, tier, id);

-- What people call a session.
ALTER TABLE sessions ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN tags TEXT NOT NULL DEFAULT ''; -- JSON or ''

-- A turn keeps how the session stood after it, for undo and fork. What was undone stays.
ALTER TABLE turns ADD COLUMN past TEXT NOT NULL DEFAULT ''; -- JSON, '' for turns of older releases
ALTER TABLE turns ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN retracted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN gone INTEGER NOT NULL DEFAULT 0; -- retracted messages from floor_seq on

-- +goose Down
ALTER TABLE state DROP COLUMN gone;
ALTER TABLE messages DROP COLUMN retracted;
ALTER TABLE turns DROP COLUMN undone;
ALTER TABLE turns DROP COLUMN past;
ALTER TABLE sessions DROP COLUMN tags;
ALTER TABLE sessions DROP COLUMN title;
DROP TABLE views;
DROP TABLE jobs;
