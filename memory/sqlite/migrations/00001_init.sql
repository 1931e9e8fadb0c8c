-- Every primary key begins with session, the session's number in the order of arrival: what is written lies in
-- few pages. Messages lie in that order: a window is one range. Tables of larger rows lie in the order of
-- arrival, because a row of a table WITHOUT ROWID that takes more than a quarter of a page takes a page of its
-- own besides. What people or tools wrote is kept as bytes. Times are microseconds since 1970, UTC. Every crc is a CRC32C over the row; its lowest bit is
-- flipped in a row that was undone.

-- +goose Up
PRAGMA application_id = 1397511251; -- "SLTS"

-- The number of each session, by the digest of its key (memory/sqlstore/row.go).
CREATE TABLE keys (
    id     INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE
) STRICT;

-- A version of 0 is a session that has only a journal: a call was started before its first commit.
CREATE TABLE sessions (
    session           INTEGER PRIMARY KEY,
    user_id           TEXT NOT NULL,
    agent_id          TEXT NOT NULL,
    session_id        TEXT NOT NULL,
    version           INTEGER NOT NULL,
    epoch             INTEGER NOT NULL,
    next_seq          INTEGER NOT NULL,
    floor_seq         INTEGER NOT NULL,
    turns             INTEGER NOT NULL,
    gone              INTEGER NOT NULL, -- retracted messages from floor_seq on
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    stated            INTEGER NOT NULL, -- the turn whose row has the state; 0: params, last_result and plan_execution are here
    waiting_for_param BLOB NOT NULL,
    last_intent_id    BLOB NOT NULL,
    params            BLOB NOT NULL, -- JSON
    last_result       BLOB NOT NULL, -- JSON or empty
    plan_execution    BLOB NOT NULL, -- JSON or empty
    crc               INTEGER NOT NULL,
    title             BLOB NOT NULL,
    tags              BLOB NOT NULL, -- JSON texts, one a line
    system_prompt     BLOB NOT NULL,
    metadata          BLOB NOT NULL, -- JSON or empty
    expires_at        INTEGER NOT NULL, -- 0: never
    about_crc         INTEGER NOT NULL, -- over what is said of the session as a whole, from title on
    words             BLOB NOT NULL -- title, session_id and tags in lower case, to be searched
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id, agent_id);
CREATE INDEX sessions_expire ON sessions (expires_at) WHERE expires_at > 0;

CREATE TABLE messages (
    session      INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    turn         INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    role         TEXT NOT NULL,
    content      BLOB NOT NULL,
    name         BLOB NOT NULL,
    tool_call_id BLOB NOT NULL,
    tool_calls   BLOB NOT NULL, -- JSON or empty
    metadata     BLOB NOT NULL, -- JSON or empty
    tokens       INTEGER NOT NULL,
    importance   INTEGER NOT NULL,
    retracted    INTEGER NOT NULL,
    crc          INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
    session    INTEGER NOT NULL,
    turn       INTEGER NOT NULL,
    request_id BLOB NOT NULL, -- empty: the turn cannot be asked for again
    created_at INTEGER NOT NULL,
    intent     BLOB NOT NULL,
    outcome    BLOB NOT NULL,
    response   BLOB NOT NULL, -- JSON, packed where that is shorter (memory/record/pack.go), or empty
    -- How the session stood after the turn: its state if it is the newest one, for undo and fork if not.
    version           INTEGER NOT NULL, -- 0: is not known
    epoch             INTEGER NOT NULL,
    next_seq          INTEGER NOT NULL,
    floor_seq         INTEGER NOT NULL,
    gone              INTEGER NOT NULL,
    waiting_for_param BLOB NOT NULL,
    last_intent_id    BLOB NOT NULL,
    params            BLOB NOT NULL, -- JSON
    last_result       BLOB NOT NULL, -- JSON, packed where that is shorter (memory/record/pack.go), or empty
    plan_execution    BLOB NOT NULL, -- JSON, packed where that is shorter (memory/record/pack.go), or empty
    undone     INTEGER NOT NULL,
    crc        INTEGER NOT NULL,
    PRIMARY KEY (session, turn)
) STRICT;
CREATE UNIQUE INDEX turns_by_request ON turns (session, request_id) WHERE length(request_id) > 0;

-- origin is the message that led to the call: one that comes again makes no call twice.
CREATE TABLE plan_steps (
    session         INTEGER NOT NULL,
    idempotency_key BLOB NOT NULL,
    origin          BLOB NOT NULL,
    place           INTEGER NOT NULL, -- order in which they were started, within the session
    turn            INTEGER NOT NULL,
    plan            BLOB NOT NULL,
    step            BLOB NOT NULL,
    tool            BLOB NOT NULL,
    args            BLOB NOT NULL, -- JSON or empty
    status          TEXT NOT NULL,
    attempts        INTEGER NOT NULL,
    result          BLOB NOT NULL, -- JSON or empty
    error_code      BLOB NOT NULL,
    started_at      INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    crc             INTEGER NOT NULL, -- over the call
    outcome_crc     INTEGER NOT NULL,
    PRIMARY KEY (session, idempotency_key)
) STRICT;
CREATE UNIQUE INDEX plan_steps_by_origin ON plan_steps (session, origin) WHERE length(origin) > 0;
CREATE INDEX plan_steps_started ON plan_steps (session) WHERE status = 'started';

-- Whoever claims jobs asks for certain kinds: those of other kinds, which may have piled up, are not to
-- be read each time.
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
CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE NOT dead;

CREATE TABLE views (
    session INTEGER NOT NULL,
    tier    TEXT NOT NULL,
    id      TEXT NOT NULL,
    epoch   INTEGER NOT NULL,
    up_to   INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    data    BLOB NOT NULL,
    crc     INTEGER NOT NULL,
    PRIMARY KEY (session, tier, id)
) STRICT;

-- Who runs a turn of a session, where several processes do.
CREATE TABLE leases (
    session BLOB PRIMARY KEY, -- the digest: a turn has one before its session has a number
    token   TEXT NOT NULL,
    until   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many transactions there were (memory/sqlite/claim.go). A copy has the same id.
CREATE TABLE commits (
    id BLOB NOT NULL,
    n  INTEGER NOT NULL
) STRICT;
INSERT INTO commits (id, n) VALUES (randomblob(8), 0);

-- What the program itself keeps, by name.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL,
    crc   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Messages that came in and are not handled yet. conversation is a digest.
CREATE TABLE inbox (
    conversation TEXT NOT NULL,
    id           TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    received_at  INTEGER NOT NULL,
    data         BLOB NOT NULL,
    crc          INTEGER NOT NULL,
    PRIMARY KEY (conversation, id)
) STRICT, WITHOUT ROWID;
