-- Every primary key begins with session, a digest of the session's key (memory/sqlstore/row.go): no row
-- needs another shard, no sequence is shared, nothing refers across. Times are microseconds since 1970,
-- UTC. What people or tools wrote is bytea, because text holds no NUL and the bytes must come back as
-- they were: read it by convert_from(content, 'UTF8'). Names of keys compare by their bytes (COLLATE
-- "C"), as SQLite orders them. A crc is a CRC32C over the row; its lowest bit is flipped in a row that
-- was undone.

-- +goose Up

-- A version of 0 is a session that has only a journal: a call was started before its first
-- commit. Room is left in each page so that a turn's update stays within it (HOT): none
-- of the indexed columns ever changes in a turn.
CREATE TABLE sessions (
    session           uuid PRIMARY KEY,
    user_id           text COLLATE "C" NOT NULL,
    agent_id          text COLLATE "C" NOT NULL,
    session_id        text COLLATE "C" NOT NULL,
    version           bigint NOT NULL,
    epoch             bigint NOT NULL,
    next_seq          bigint NOT NULL,
    floor_seq         bigint NOT NULL,
    turns             bigint NOT NULL,
    gone              bigint NOT NULL, -- retracted messages from floor_seq on
    created_at        bigint NOT NULL,
    updated_at        bigint NOT NULL,
    stated            bigint NOT NULL, -- the turn whose row has the state; 0: params, last_result and plan_execution are here
    waiting_for_param bytea NOT NULL,
    last_intent_id    bytea NOT NULL,
    params            bytea NOT NULL, -- JSON
    last_result       bytea NOT NULL, -- JSON or empty
    plan_execution    bytea NOT NULL, -- JSON or empty
    crc               integer NOT NULL,
    title             bytea NOT NULL,
    tags              bytea NOT NULL, -- JSON texts, one a line
    system_prompt     bytea NOT NULL,
    metadata          bytea NOT NULL, -- JSON or empty
    expires_at        bigint NOT NULL, -- 0: never
    about_crc         integer NOT NULL, -- over what is said of the session as a whole, from title on
    words             bytea NOT NULL -- title, session_id and tags in lower case, to be searched
) WITH (fillfactor = 70);
CREATE INDEX sessions_by_user ON sessions (user_id, agent_id);
CREATE INDEX sessions_expire ON sessions (expires_at) WHERE expires_at > 0;

CREATE TABLE messages (
    session      uuid NOT NULL,
    seq          bigint NOT NULL,
    turn         bigint NOT NULL,
    created_at   bigint NOT NULL,
    role         text NOT NULL,
    content      bytea NOT NULL,
    name         bytea NOT NULL,
    tool_call_id bytea NOT NULL,
    tool_calls   bytea NOT NULL, -- JSON or empty
    metadata     bytea NOT NULL, -- JSON or empty
    tokens       bigint NOT NULL,
    importance   bigint NOT NULL,
    retracted    boolean NOT NULL,
    crc          integer NOT NULL,
    PRIMARY KEY (session, seq)
);

CREATE TABLE turns (
    session    uuid NOT NULL,
    turn       bigint NOT NULL,
    request_id bytea NOT NULL, -- empty: the turn cannot be asked for again
    created_at bigint NOT NULL,
    intent     bytea NOT NULL,
    outcome    bytea NOT NULL,
    response   bytea NOT NULL, -- JSON, packed where that is shorter (memory/record/pack.go), or empty
    -- How the session stood after the turn: its state if it is the newest one, for undo and fork if not.
    version           bigint NOT NULL, -- 0: is not known
    epoch             bigint NOT NULL,
    next_seq          bigint NOT NULL,
    floor_seq         bigint NOT NULL,
    gone              bigint NOT NULL,
    waiting_for_param bytea NOT NULL,
    last_intent_id    bytea NOT NULL,
    params            bytea NOT NULL, -- JSON
    last_result       bytea NOT NULL, -- JSON, packed where that is shorter (memory/record/pack.go), or empty
    plan_execution    bytea NOT NULL, -- JSON, packed where that is shorter (memory/record/pack.go), or empty
    undone     boolean NOT NULL,
    crc        integer NOT NULL,
    PRIMARY KEY (session, turn)
);
CREATE UNIQUE INDEX turns_by_request ON turns (session, request_id) WHERE length(request_id) > 0;

-- origin is the message that led to the call: one that comes again makes no call twice.
CREATE TABLE plan_steps (
    session         uuid NOT NULL,
    idempotency_key bytea NOT NULL,
    origin          bytea NOT NULL,
    place           bigint NOT NULL, -- order in which they were started, within the session
    turn            bigint NOT NULL,
    plan            bytea NOT NULL,
    step            bytea NOT NULL,
    tool            bytea NOT NULL,
    args            bytea NOT NULL, -- JSON or empty
    status          text NOT NULL,
    attempts        bigint NOT NULL,
    result          bytea NOT NULL, -- JSON or empty
    error_code      bytea NOT NULL,
    started_at      bigint NOT NULL,
    ended_at        bigint NOT NULL,
    crc             integer NOT NULL, -- over the call
    outcome_crc     integer NOT NULL,
    PRIMARY KEY (session, idempotency_key)
);
CREATE UNIQUE INDEX plan_steps_by_origin ON plan_steps (session, origin) WHERE length(origin) > 0;
CREATE INDEX plan_steps_started ON plan_steps (session) WHERE status = 'started';

-- Whoever claims jobs asks for certain kinds: those of other kinds, which may have piled up, are not to
-- be read each time.
CREATE TABLE jobs (
    session    uuid NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    epoch      bigint NOT NULL,
    target_seq bigint NOT NULL,
    run_at     bigint NOT NULL,
    attempts   bigint NOT NULL,
    dead       boolean NOT NULL,
    code       text NOT NULL,
    token      text NOT NULL, -- of the lease, '' when nobody has it
    until      bigint NOT NULL,
    PRIMARY KEY (session, kind)
);
CREATE INDEX jobs_due ON jobs (kind, run_at) WHERE NOT dead;

CREATE TABLE views (
    session uuid NOT NULL,
    tier    text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    epoch   bigint NOT NULL,
    up_to   bigint NOT NULL,
    at      bigint NOT NULL,
    data    bytea NOT NULL,
    crc     integer NOT NULL,
    PRIMARY KEY (session, tier, id)
);

-- Who runs a turn of a session, where several processes do. Nothing is lost when the server forgets it.
CREATE UNLOGGED TABLE leases (
    session uuid PRIMARY KEY,
    token   text NOT NULL,
    until   bigint NOT NULL
) WITH (fillfactor = 70);

-- What the program itself keeps, by name.
CREATE TABLE meta (
    name  text COLLATE "C" PRIMARY KEY,
    value bytea NOT NULL,
    crc   integer NOT NULL
);

-- Messages that came in and are not handled yet. conversation is a digest.
CREATE TABLE inbox (
    conversation text COLLATE "C" NOT NULL,
    id           text COLLATE "C" NOT NULL,
    agent_id     text COLLATE "C" NOT NULL,
    received_at  bigint NOT NULL,
    data         bytea NOT NULL,
    crc          integer NOT NULL,
    PRIMARY KEY (conversation, id)
);
