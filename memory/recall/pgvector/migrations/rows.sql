-- The vectors of one length. big: the row is in the index of the nearest.
CREATE TABLE IF NOT EXISTS {{.Name}}_{{.Dim}} (
	scope uuid NOT NULL,
	model uuid NOT NULL,
	session uuid NOT NULL,
	seq bigint NOT NULL,
	usr uuid NOT NULL,
	born bigint NOT NULL,
	epoch bigint NOT NULL,
	crc bigint NOT NULL,
	at bigint NOT NULL,
	agent boolean NOT NULL,
	importance smallint NOT NULL,
	big boolean NOT NULL,
	v halfvec({{.Dim}}) NOT NULL,
	PRIMARY KEY (scope, model, session, seq)
);
{{if .Indexed}}CREATE INDEX IF NOT EXISTS {{.Name}}_{{.Dim}}_near ON {{.Name}}_{{.Dim}}
	USING hnsw (v halfvec_cosine_ops) WITH (m = 16, ef_construction = 128) WHERE big;{{end}}
