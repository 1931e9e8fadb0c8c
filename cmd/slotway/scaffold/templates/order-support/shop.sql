-- Fills an empty database at the first start. Customers and orders are invented.
CREATE TABLE orders (
  id     TEXT PRIMARY KEY,
  email  TEXT NOT NULL,
  zip    TEXT NOT NULL,
  item   TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'shipped', 'delivered', 'cancelled', 'returned')),
  eta    TEXT, -- NULL: nothing is on its way
  reason TEXT
);
CREATE INDEX orders_by_customer ON orders (email, zip);

INSERT INTO orders (id, email, zip, item, status, eta) VALUES
  ('O-4711', 'mia@example.com', '50667', 'desk lamp', 'pending', 'Friday'),
  ('O-4712', 'noah@example.com', '60613', 'rain jacket', 'shipped', 'tomorrow'),
  ('O-4713', 'mia@example.com', '50667', 'coffee grinder', 'delivered', NULL),
  ('O-4714', 'noah@example.com', '60613', 'yoga mat', 'cancelled', NULL),
  ('O-4715', 'olga@example.com', '04101', 'bread knife', 'pending', 'next Tuesday'),
  ('O-4716', 'olga@example.com', '04101', 'wool blanket', 'pending', 'Monday'),
  ('O-4717', 'paul@example.com', '73301', 'hiking boots', 'delivered', NULL);
