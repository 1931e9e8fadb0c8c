-- Fills an empty database at the first start: the questions that colleagues answer.
CREATE TABLE questions (
  id       INTEGER PRIMARY KEY,
  email    TEXT NOT NULL,
  question TEXT NOT NULL,
  asked_at TEXT NOT NULL DEFAULT (datetime('now'))
);
