// Package config reads what a Slotway program is told: agent definitions and the
// runtime's settings. It is the lowest layer and knows nothing of the others.
//
// An [Agent] is one validated definition. [Load] decodes its YAML into a [Node] tree that
// knows every place, holds it to a JSON Schema ([SchemaJSON]), walks it into an Agent and
// then checks what a schema cannot: that every name exists, that every placeholder can be
// filled, that no write is reached without a confirm. All problems of a file are reported
// in one pass as [Problems], each as file:line:column: path: what is wrong, and what to
// do. Lints do not stop a file from loading; they are in Agent.Warnings, and [Check]
// returns both.
//
// Three small languages occur in a definition: [Text] (templates with {name}, {name|format}
// and [parts that may be left out]), [Arg] (arguments with $name) and [Expr] (conditions, by expr-lang). All are parsed at load,
// are total over values that are missing, and may be used by any number of goroutines.
//
// [Settings] are layered from defaults, file, environment and flags by [LoadSettings].
//
// An Agent never changes after Load. A param that several intents use is declared once
// under `params`; an intent may override any key of it, and a name has one type in the
// whole agent. A param that only an intent declares is listed in Agent.Params too.
//
// What a param of a built-in type holds is said in words of the agent's language, by texts
// and by [Agent.Show]; [Arg] gives tools the value as it is. English, German, French, Spanish,
// Italian and Dutch have tables; in another language dates and money are said as tools have
// them.
//
// A task is called by its title ([Intent.Called]), may have an inverse (undo) and keys that
// say how it is talked about: shape, else and initial of params, help of a confirm step, value
// of a choose step.
//
// A tool of kind http may name an operation of an OpenAPI document in the agent's folder, in
// a program that imports tools/httptool/openapi: method, URL, parameters, body and input schema
// are then made from it at load, and its content counts for Agent.Hash. The document and its
// references stay within the folder, and it cannot name variables of the environment.
//
// The package is also the only one that reads our YAML: others use [ParseYAML] and
// [ParseYAMLDocs]. The embedded files are the default agent ([Default]), its demo shop,
// and system.yaml with the built-in intents and responses. The latter have a namespace: an
// agent replaces system.cancelled, and its own response called cancelled is another one
// ([Agent.Response], [Agent.SystemResponse]). testdata/broken holds every
// kind of mistake with its message; add to it with go test -update.
package config
