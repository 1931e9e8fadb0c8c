// Package httptool calls an HTTP service as a tool and reads its JSON answer.
//
// Arguments reach the request in four places: {name} in the URL's path or query
// (escaped, never able to change host or path structure), the declared query
// parameters, the header parameters of an OpenAPI operation, and the JSON body, declared
// as a whole or property by property. The declared headers are fixed when the tool is
// built. Writes carry their idempotency key in the Idempotency-Key header
// (draft-ietf-httpapi-idempotency-key-header).
//
// A tool of an OpenAPI operation is an ordinary declaration that config has filled in; the
// document is not read again. Arguments that such an operation leaves optional are left
// out where they are nil, everywhere.
//
// Where a request may go is decided by package egress; redirects are followed within the
// scheme and the host only. Whether a failed write is uncertain is known exactly: until a
// connection was there nothing can have been sent; and a write has a connection of its own,
// as net/http may repeat a request on one that was used before. Errors hold status codes
// and fixed words, never a URL, a header or anything that was sent or received.
package httptool
