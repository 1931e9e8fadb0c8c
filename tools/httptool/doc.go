// Package httptool calls an HTTP service as a tool and reads its JSON answer.
//
// Arguments go to four places of the request: {name} in the URL's path or query (escaped, so that
// they can change neither host nor path structure), the declared query parameters, the header
// parameters of an OpenAPI operation, and the JSON body, declared as a whole or property by
// property. The declared headers are fixed when the tool is built. Writes carry their idempotency
// key in the Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header).
//
// A tool of an OpenAPI operation is an ordinary declaration that config has filled in; this package
// does not read the document. It leaves out the nil arguments of such an operation.
//
// Package egress decides where a request may go; redirects are followed within scheme and host
// only. Whether a failed write is uncertain is known exactly: without a connection nothing can have
// been sent; and a write has a connection of its own, since net/http may repeat a request on a used
// one. Errors hold status codes and fixed words, never a URL, a header or anything that was sent or
// received.
package httptool
