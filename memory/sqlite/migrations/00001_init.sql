-- Times are microseconds since 1970, UTC. Every crc is a CRC32C over the row (row.go).
-- A turn touches few pages: one of state, one of messages (clustered by session), the
-- last page of turns (in order of arrival, shared by all sessions) and one of its narrow
-- index. A turn does not change the row in sessions: it gives a session's key its number.

-- +goose Up
PRAGMA application_id = 1397511251; -- "SLTS"

-- AUTOINCREMENT: the number of a deleted session is never given to another one.
CREATE TABLE sessions (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id       TEXT NOT NULL,
    agent_id      TEXT NOT NULL,
    session_id    TEXT NOT NULL,
    title         TEXT NOT NULL,
    tags          TEXT NOT NULL, -- JSON or ''
    system_prompt TEXT NOT NULL,
    metadata      TEXT NOT NULL, -- JSON or ''
    expires_at    INTEGER NOT NULL, -- 0: never
    crc           INTEGER NOT NULL,
    UNIQUE (user_id, agent_id, session_id)
) STRICT;
CREATE INDEX sessions_expire ON sessions (expires_at) WHERE expires_at > 0;

-- A session without a row here has only a journal: a call was started before its first commit.
CREATE TABLE state (
    session           INTEGER PRIMARY KEY,
    version           INTEGER NOT NULL,
    epoch             INTEGER NOT NULL,
    next_seq          INTEGER NOT NULL,
    floor_seq         INTEGER NOT NULL,
    turns             INTEGER NOT NULL,
    gone              INTEGER NOT NULL, -- retracted messages from floor_seq on
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    waiting_for_param TEXT NOT NULL,
    last_intent_id    TEXT NOT NULL,
    params            TEXT NOT NULL, -- JSON
    last_result       TEXT NOT NULL, -- JSON or ''
    plan_execution    TEXT NOT NULL, -- JSON or ''
    crc               INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
    id           INTEGER PRIMARY KEY, -- session << 24 | seq
    turn         INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    role         TEXT NOT NULL,
    content      TEXT NOT NULL,
    name         TEXT NOT NULL,
    tool_call_id TEXT NOT NULL,
    tool_calls   TEXT NOT NULL, -- JSON or ''
    metadata     TEXT NOT NULL, -- JSON or ''
    tokens       INTEGER NOT NULL,
    importance   INTEGER NOT NULL,
    retracted    INTEGER NOT NULL,
    crc          INTEGER NOT NULL
) STRICT;

CREATE TABLE turns (
    id         INTEGER PRIMARY KEY, -- order of arrival
    session    INTEGER NOT NULL,
    request_id TEXT, -- NULL: the turn cannot be asked for again
    turn       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    intent     TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    response   TEXT NOT NULL, -- JSON or ''
    past       TEXT NOT NULL, -- JSON: how the session stood after the turn, for undo and fork
    undone     INTEGER NOT NULL,
    crc        INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX turns_by_request ON turns (session, request_id);

-- origin is the message that led to the call: one that comes again makes no call twice.
CREATE TABLE plan_steps (
    id              INTEGER PRIMARY KEY, -- order in which they were started
    session         INTEGER NOT NULL,
    idempotency_key TEXT NOT NULL,
    origin          TEXT NOT NULL,
    turn            INTEGER NOT NULL,
    plan            TEXT NOT NULL,
    step            TEXT NOT NULL,
    tool            TEXT NOT NULL,
    args            TEXT NOT NULL, -- JSON or ''
    status          TEXT NOT NULL,
    attempts        INTEGER NOT NULL,
    result          TEXT NOT NULL, -- JSON or ''
    error_code      TEXT NOT NULL,
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    crc             INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX plan_steps_by_key ON plan_steps (session, idempotency_key);
CREATE UNIQUE INDEX plan_steps_by_origin ON plan_steps (session, origin) WHERE origin <> '';
CREATE INDEX plan_steps_started ON plan_steps (session) WHERE status = 'started';

-- Background work and what tiers make of the messages. Whoever claims jobs asks for certain
-- kinds: those of other kinds, which may have piled up, are not to be read each time.
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
    crc        INTEGER NOT NULL,
    PRIMARY KEY (session, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE dead = 0;

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
