package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/slotway/slotway/config/naming"
)

// AllowedHost is one entry of tools.allow_hosts: a block of addresses or a name.
type AllowedHost struct {
	Prefix netip.Prefix // valid for an address or a CIDR block, masked
	Name   string       // in lower case without a final dot; "" for addresses
	Below  bool         // from *.NAME: every name below NAME, not NAME itself
}

// ParseAllowedHost parses an address such as 10.0.0.5, a CIDR block such as 10.0.0.0/8, a host
// name, or *.NAME. The error ends in a remedy after "; ".
func ParseAllowedHost(s string) (AllowedHost, error) {
	if strings.Contains(s, "/") {
		return allowedBlock(s)
	}
	if addr, err := netip.ParseAddr(s); err == nil {
		if addr.Is4In6() || addr.Zone() != "" {
			return AllowedHost{}, errAllowedForm
		}
		return AllowedHost{Prefix: netip.PrefixFrom(addr, addr.BitLen())}, nil
	}
	name, below := strings.CutPrefix(strings.ToLower(s), "*.")
	name = strings.TrimSuffix(name, ".")
	if !isHostName(name) {
		return AllowedHost{}, fmt.Errorf("%q is no host; write a name, *.NAME, an address or a block such as 10.0.0.0/8, without scheme or port", showURL(s))
	}
	return AllowedHost{Name: name, Below: below}, nil
}

var errAllowedForm = errors.New("an IPv4 address in IPv6 form or a zone is not allowed here; write the plain address")

func allowedBlock(s string) (AllowedHost, error) {
	p, err := netip.ParsePrefix(s)
	switch {
	case err != nil:
		return AllowedHost{}, fmt.Errorf("%q is no block of addresses; write one such as 10.0.0.0/8, a URL does not belong here", showURL(s))
	case p.Addr().Is4In6():
		return AllowedHost{}, errAllowedForm
	}
	return AllowedHost{Prefix: p.Masked()}, nil
}

// isHostName accepts the names of RFC 1123, section 2.1, and underscores, which names inside a
// cluster have. A name whose last label is a number would be an odd form of an address.
func isHostName(name string) bool {
	if name == "" || len(name) > 253 {
		return false
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.IndexFunc(label, func(r rune) bool {
			return r >= 0x80 || !naming.IsNameByte(byte(r), false) && r != '-'
		}) >= 0 {
			return false
		}
	}
	return strings.Trim(labels[len(labels)-1], "0123456789") != ""
}

func checkAllowedHost(s string) error {
	_, err := ParseAllowedHost(s)
	return err
}
