-- Vectors with what a search filters by. namespace, doc_type, content and metadata are of archived
-- texts. embedding has half precision, which changes a cosine by less than a thousandth, and any
-- length: only rows of one model and dim are compared.
CREATE TABLE IF NOT EXISTS %[1]s (
	scope uuid NOT NULL,
	model text NOT NULL,
	dim integer NOT NULL,
	session uuid NOT NULL,
	seq bigint NOT NULL,
	usr uuid NOT NULL,
	born bigint NOT NULL,
	epoch bigint NOT NULL,
	crc bigint NOT NULL,
	at bigint NOT NULL,
	agent boolean NOT NULL,
	importance smallint NOT NULL,
	namespace text,
	doc_type text,
	content text,
	metadata jsonb,
	embedding halfvec NOT NULL,
	PRIMARY KEY (scope, model, dim, session, seq)
);
CREATE INDEX IF NOT EXISTS %[1]s_usr ON %[1]s (usr);
CREATE INDEX IF NOT EXISTS %[1]s_namespace ON %[1]s (namespace) WHERE namespace IS NOT NULL;
