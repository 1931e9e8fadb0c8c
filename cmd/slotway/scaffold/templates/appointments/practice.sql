-- Fills an empty database at the first start. Patients and numbers are invented.
CREATE TABLE appointments (
  id        TEXT PRIMARY KEY,
  phone     TEXT NOT NULL,
  patient   TEXT NOT NULL,
  dentist   TEXT NOT NULL,
  treatment TEXT NOT NULL,
  day       TEXT NOT NULL,
  time      TEXT NOT NULL,
  UNIQUE (dentist, day, time)
);

-- Two weeks ahead, on a Wednesday and a Thursday, so that there is always something to move.
INSERT INTO appointments VALUES
  ('A-101', '+12025550117', 'Ana Ruiz', 'Dr. Ames', 'check-up', date('now', '+14 days', 'weekday 3'), '09:30'),
  ('A-102', '+12025550117', 'Leo Ruiz', 'Dr. Brook', 'cleaning', date('now', '+14 days', 'weekday 4'), '15:00'),
  ('A-103', '+12025550142', 'Tom Berg', 'Dr. Castillo', 'filling', date('now', '+14 days', 'weekday 3'), '11:00');
