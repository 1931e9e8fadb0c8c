// Package storetest holds the contract of memory.Backend as tests. Every backend calls [Run]
// with a function that opens an empty store:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) memory.Backend { return inmem.New(nil) })
//	}
//
// Run closes what it opens.
package storetest
