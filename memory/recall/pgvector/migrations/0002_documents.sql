-- Archived texts with their vectors, for whoever looks into the database. They are few in a
-- scope: all are compared.
CREATE TABLE {{.Name}} (
	scope uuid NOT NULL,
	model uuid NOT NULL,
	session uuid NOT NULL,
	seq bigint NOT NULL,
	usr uuid NOT NULL,
	born bigint NOT NULL,
	epoch bigint NOT NULL,
	crc bigint NOT NULL,
	at bigint NOT NULL,
	dim integer NOT NULL,
	namespace text NOT NULL,
	doc_type text NOT NULL,
	content text NOT NULL,
	metadata jsonb NOT NULL,
	embedding halfvec NOT NULL,
	PRIMARY KEY (scope, model, session, seq)
);
CREATE INDEX {{.Name}}_usr ON {{.Name}} (usr);
CREATE INDEX {{.Name}}_namespace ON {{.Name}} (namespace);
