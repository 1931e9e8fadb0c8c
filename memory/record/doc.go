// Package record turns parts of a session into what the columns of a table hold: JSON texts
// that come back byte for byte, long ones packed, and a CRC32C over the values of a row.
package record
