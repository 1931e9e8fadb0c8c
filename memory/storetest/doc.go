// Package storetest is the contract of memory.Store as tests. Every backend calls [Run]
// with a function that opens an empty store:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) memory.Store { return inmem.New(nil) })
//	}
//
// Run closes what it opens.
package storetest
