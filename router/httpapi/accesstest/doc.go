// Package accesstest tries every route of a service with keys that must not open it.
//
// [Run] walks the routes that an httpapi.API has, whatever adapters they come from, so that a
// route which is added later is tried without anybody remembering to. A route without a
// scope is open on purpose and left out.
package accesstest
