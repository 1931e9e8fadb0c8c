// Package recorded plays back exchanges with model servers that stand in a file, so that
// tests of what asks a model need none. It is for tests only.
//
// [Client] is the HTTP client of an llm.Options; [Server] is the base of a URL, for tests
// of whole programs that are only told where the model server is. Both play the exchanges
// of a txtar file: a request is answered with the response of an equal one, equal in method,
// path, query and body, where the order of a JSON object's fields and white space do not
// count. Equal requests have their responses in the order of the file, and the last of them
// for good. A request that stands nowhere gets an error and fails the test.
//
// # Files
//
// A file alternates requests and responses, each with a head, an empty line and a body:
//
//	-- 1 request --
//	POST /v1/embeddings
//
//	{"input": ["hello"], "model": "small"}
//	-- 1 response --
//	200
//	Content-Type: application/json
//
//	{"data": [{"index": 0, "embedding": [0.1, 0.2]}]}
//
// Such a file can be written by hand. It is recorded anew by a test that runs with the
// environment variable SLOTWAY_RECORD, a regular expression that the file's path matches;
// Server then asks the server of SLOTWAY_RECORD_SERVER, such as http://localhost:11434. A
// test that fails leaves its file as it was.
//
// # Keys
//
// Of headers only a response's Content-Type and Retry-After are recorded. Values of the
// request's Authorization and api-key headers, of fields and query parameters named like a
// credential, and whatever looks like a key are replaced wherever they stand, before
// anything is compared or kept. That is a net under whoever commits a recording, who still
// reads it: it knows no names of persons.
package recorded
