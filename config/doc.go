// Package config reads agent definitions.
//
// An [Agent] is one validated definition. [Load] decodes its YAML into a tree of nodes that
// know their places (package source), checks the tree against a JSON Schema ([SchemaJSON]),
// builds an Agent from it and then checks what a schema cannot: that every name exists, that
// every placeholder can be filled, that no write is reached without a confirm. It reports all
// problems of a file in one pass. Lints do not stop a file from loading: they are in
// Agent.Warnings, and [Examine] returns them with the errors.
//
// An Agent never changes after Load. A param that several intents use is declared once
// under `params`; an intent may override any key of it, and a name has one type in the
// whole agent. Agent.Params lists the params that a single intent declares, too.
//
// Texts and [Agent.Show] put the value of a param of a built-in type into words of the agent's
// language (package phrase); arguments give it to tools as it is (package expr).
//
// A task is called by its title ([Intent.Called]), may have an inverse (undo) and keys that
// say how people talk about it: shape, else and initial of params, help of a confirm step, value
// of a choose step.
//
// A tool of kind http may name an operation of an OpenAPI document in the agent's folder, in
// a program that imports tools/httptool/openapi: method, URL, parameters, body and input schema
// are then made from it at load, and its content counts for Agent.Hash. The document and its
// references stay within the folder, and it cannot name variables of the environment.
//
// The embedded files are the default agent ([Default]), its demo shop, and system.yaml with
// the built-in intents and responses. Built-in responses have a namespace: an agent replaces
// system.cancelled, while its own response called cancelled is another one ([Agent.Response],
// [Agent.SystemResponse]). testdata/broken holds every kind of mistake with its message; add
// to it with go test -update.
//
// The package exports more names than others because the schema of an agent has many types;
// each key of the YAML file has its field in one of them.
package config
