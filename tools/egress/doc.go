// Package egress decides which addresses an agent's tools may connect to, so that neither
// a definition nor an answer of DNS turns the runtime into a way into its own network
// (server-side request forgery: CWE-918; OWASP API7:2023).
//
// A [Guard] permits public addresses. Private (RFC 1918, RFC 4193, RFC 6598), link-local
// (cloud metadata among them), loopback, unspecified, multicast and reserved ones are
// refused, also inside IPv4-mapped, NAT64 and 6to4 forms. [Classify] is that table.
//
// Exceptions come from the operator. Entries of tools.allow_hosts permit a block of
// addresses, whatever its class, or a name, for private and loopback addresses only: who
// answers for a name's DNS must not reach the metadata service. And a loopback target is
// permitted where the declaration itself says localhost or a loopback address, a sidecar
// ([Guard.For]); another name that leads there is not.
//
// A name is resolved once for each connection. Addresses that are refused are left out,
// the others are connected to one after the other, by address, so that a second answer
// of DNS cannot move the connection (rebinding). TLS still verifies the name. Every
// redirect passes the same way.
//
// An HTTP proxy from the environment (HTTPS_PROXY, NO_PROXY, ...) is the operator's, so its own
// address is exempt. It does not widen what may be called: the target is resolved and
// checked before each request goes to the proxy. A target whose name only the proxy can
// resolve must be allowed by name. The proxy resolves a name again for itself, so a name
// that changes in between is the proxy's to refuse.
package egress
