// Package recorded replays exchanges with model servers from a file, so that tests of code that
// asks a model need no server. It is for tests only.
//
// [Client] is the HTTP client for llm.Options; [Server] returns a URL, for tests of whole programs
// that only know the address of the model server. Both replay the exchanges of a txtar file: the
// response to a request is that of an equal request, equal in method, path, query and body,
// ignoring the order of a JSON object's fields and white space. Equal requests get their responses
// in file order, and the last one repeats. A request that is not in the file gets an error and
// fails the test.
//
// # Files
//
// A file alternates requests and responses, each with a header, an empty line and a body:
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
// Such a file can be written by hand. A test records it again if the environment variable
// SLOTWAY_RECORD is a regular expression that matches the file's path; Server then asks the server
// of SLOTWAY_RECORD_SERVER, such as http://localhost:11434. A test that fails does not change its
// file.
//
// # Keys
//
// Of the headers, only a response's Content-Type and Retry-After are recorded. Values of the
// request's Authorization and api-key headers, of fields and query parameters named like a
// credential, and whatever looks like a key are replaced everywhere before anything is compared or
// stored. That is a safety net; read a recording before you commit it: the net does not
// recognise names of persons.
package recorded
