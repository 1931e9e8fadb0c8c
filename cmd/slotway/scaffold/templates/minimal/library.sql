-- Fills an empty database at the first start. Members and books are invented.
CREATE TABLE loans (
  member   TEXT PRIMARY KEY,
  title    TEXT NOT NULL,
  due      TEXT NOT NULL,
  renewals INTEGER NOT NULL DEFAULT 0
);

INSERT INTO loans (member, title, due, renewals) VALUES
  ('L-1001', 'The Tide Clock', date('now', '+10 days'), 0),
  ('L-1002', 'Bread for Beginners', date('now', '+3 days'), 1),
  ('L-1003', 'A Field Guide to Moss', date('now', '+1 day'), 2);
