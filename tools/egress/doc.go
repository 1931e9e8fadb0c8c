// Package egress decides which addresses an agent's tools may connect to, so that neither
// a definition nor an answer of DNS turns the runtime into a way into its own network
// (server-side request forgery: CWE-918; OWASP API7:2023).
//
// A [Guard] permits public addresses. It refuses private (RFC 1918, RFC 4193, RFC 6598), link-local
// (such as cloud metadata), loopback, unspecified, multicast and reserved ones, also in
// IPv4-mapped, NAT64 and 6to4 form. [Classify] is that table.
//
// The operator makes exceptions. An entry of tools.allow_hosts permits a block of addresses of any
// class, or a name, but a name only for private and loopback addresses: the owner of its DNS
// must not reach the metadata service. A loopback target is also permitted if the declaration
// itself says localhost or a loopback address, for a sidecar ([Guard.For]); no other name may lead
// there.
//
// A guard resolves a name once for each connection. It drops refused addresses and connects to the
// others one after the other, by address, so that a second DNS answer cannot move the connection
// (rebinding). TLS still verifies the name. Every redirect is checked in the same way.
//
// An HTTP proxy from the environment (HTTPS_PROXY, NO_PROXY, ...) belongs to the operator, so its
// own address is exempt. It does not permit more targets: the guard resolves and checks the target
// before each request to the proxy. A target whose name only the proxy can resolve must be allowed
// by name. The proxy resolves the name again; if the answer differs, refusing it is up to the
// proxy.
package egress
