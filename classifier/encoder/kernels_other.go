//go:build purego || (!amd64 && !arm64)

package encoder

func available() []*kernels { return []*kernels{&portable} }
