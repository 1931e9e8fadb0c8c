// Package httptool calls an HTTP service as a tool and reads its JSON answer.
//
// Arguments reach the request in four places: {name} in the URL's path or query
// (escaped, never able to change host or path structure), the declared query
// parameters, and the declared JSON body. Headers are fixed when the tool is built.
// Writes carry their idempotency key in the Idempotency-Key header
// (draft-ietf-httpapi-idempotency-key-header).
//
// Whether a failed write is uncertain is known exactly: until a connection was there
// nothing can have been sent. Errors hold status codes and fixed words, never a URL, a
// header or anything that was sent or received.
package httptool
