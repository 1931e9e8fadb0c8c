package egress

import "net/netip"

// Class is the kind of network that an address belongs to.
type Class string

// The classes.
const (
	Public      Class = "public"
	Loopback    Class = "loopback"
	Private     Class = "private"
	LinkLocal   Class = "link-local"
	Unspecified Class = "unspecified"
	Multicast   Class = "multicast"
	Reserved    Class = "reserved" // broadcast, documentation, benchmarks, protocols: no services
)

// special lists the blocks that are not public, narrow ones before wide ones (IANA's registries of
// special-purpose addresses, RFC 6890, as of 2025).
var special = []struct {
	block netip.Prefix
	class Class
}{
	{netip.MustParsePrefix("0.0.0.0/8"), Unspecified},
	{netip.MustParsePrefix("10.0.0.0/8"), Private},
	{netip.MustParsePrefix("100.64.0.0/10"), Private},
	{netip.MustParsePrefix("127.0.0.0/8"), Loopback},
	{netip.MustParsePrefix("169.254.0.0/16"), LinkLocal},
	{netip.MustParsePrefix("172.16.0.0/12"), Private},
	{netip.MustParsePrefix("192.0.0.0/24"), Reserved},
	{netip.MustParsePrefix("192.0.2.0/24"), Reserved},
	{netip.MustParsePrefix("192.88.99.0/24"), Reserved},
	{netip.MustParsePrefix("192.168.0.0/16"), Private},
	{netip.MustParsePrefix("198.18.0.0/15"), Reserved},
	{netip.MustParsePrefix("198.51.100.0/24"), Reserved},
	{netip.MustParsePrefix("203.0.113.0/24"), Reserved},
	{netip.MustParsePrefix("224.0.0.0/4"), Multicast},
	{netip.MustParsePrefix("240.0.0.0/4"), Reserved}, // and broadcast
	{netip.MustParsePrefix("0.0.0.0/0"), Public},

	{netip.MustParsePrefix("::/128"), Unspecified},
	{netip.MustParsePrefix("::1/128"), Loopback},
	{netip.MustParsePrefix("fc00::/7"), Private},
	{netip.MustParsePrefix("fe80::/10"), LinkLocal},
	{netip.MustParsePrefix("ff00::/8"), Multicast},
	{netip.MustParsePrefix("2001::/23"), Reserved}, // Teredo, ORCHID and other protocols
	{netip.MustParsePrefix("2001:db8::/32"), Reserved},
	{netip.MustParsePrefix("3fff::/20"), Reserved},
	{netip.MustParsePrefix("2000::/3"), Public},
	{netip.MustParsePrefix("::/0"), Reserved}, // never assigned, or for use inside a network
}

var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052
	sixToV4 = netip.MustParsePrefix("2002::/16")    // RFC 3056
)

// Classify returns the class of addr. An IPv6 address that carries an IPv4 address (mapped, NAT64,
// 6to4) has the class of that address. The zero Addr is Reserved.
func Classify(addr netip.Addr) Class {
	addr = carried(addr)
	for _, s := range special {
		if s.block.Contains(addr) {
			return s.class
		}
	}
	return Reserved
}

// carried returns the IPv4 address inside addr, or addr without its zone.
func carried(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	if addr.Is4() {
		return addr
	}
	b := addr.As16()
	switch {
	case nat64.Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixToV4.Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}
