-- How many rows a scope has by a model. big: all of them are in the index.
CREATE TABLE {{.Name}}_scopes (
	scope uuid NOT NULL,
	model uuid NOT NULL,
	dim integer NOT NULL,
	usr uuid NOT NULL,
	held bigint NOT NULL DEFAULT 0,
	big boolean NOT NULL DEFAULT false,
	PRIMARY KEY (scope, model, dim)
);
CREATE INDEX {{.Name}}_scopes_usr ON {{.Name}}_scopes (usr);
