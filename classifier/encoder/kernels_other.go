//go:build purego || !amd64

package encoder

func available() []*kernels { return []*kernels{&portable} }
