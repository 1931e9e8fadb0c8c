// Package accesstest tries every route of a service with keys that must not open it.
//
// [Run] walks the routes of an httpapi.API, including those of its adapters, so a route that is added
// later is tested by itself. A route without a scope is open on purpose and left out.
package accesstest
