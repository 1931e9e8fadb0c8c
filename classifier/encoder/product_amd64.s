//go:build !purego

#include "textflag.h"

// Registers of both products: cells SI, activations of the four tokens R8, R10, R11, R12 at
// the offset AX, columns left CX; sums Y0 to Y7, two of each token.
#define ENTER \
	MOVQ cells+16(FP), SI       \
	MOVQ depth+24(FP), CX       \
	MOVQ acts+32(FP), R8        \
	MOVQ actStride+40(FP), R9   \
	LEAQ (R8)(R9*1), R10        \
	LEAQ (R10)(R9*1), R11       \
	LEAQ (R11)(R9*1), R12       \
	XORQ AX, AX                 \
	VPXOR Y0, Y0, Y0            \
	VPXOR Y1, Y1, Y1            \
	VPXOR Y2, Y2, Y2            \
	VPXOR Y3, Y3, Y3            \
	VPXOR Y4, Y4, Y4            \
	VPXOR Y5, Y5, Y5            \
	VPXOR Y6, Y6, Y6            \
	VPXOR Y7, Y7, Y7

#define LEAVE \
	MOVQ dst+0(FP), DI          \
	MOVQ dstStride+8(FP), R9    \
	SHLQ $2, R9                 \
	MOVQ r+48(FP), DX           \
	MOVQ t+56(FP), BX           \
	MOVQ 0(DX), R13             \
	MOVQ 8(DX), R14             \
	MOVQ 16(DX), R15

// FINISH turns eight sums of one token into numbers: less its zero times the sum of the
// weights, times scale and step, and bias.
#define FINISH(sums, token, at) \
	VPBROADCASTD (16+4*token)(BX), Y8  \
	VPMULLD Y8, Y14, Y8                \
	VPSUBD Y8, sums, sums              \
	VCVTDQ2PS sums, sums               \
	VBROADCASTSS (4*token)(BX), Y9     \
	VMULPS Y9, Y13, Y9                 \
	VMULPS Y9, sums, sums              \
	VADDPS Y15, sums, sums             \
	VMOVUPS sums, at

// Two products of sixteen bits are added in each lane, so that the two sums of a token hold
// rows 0 0 1 1 2 2 3 3 and 4 4 5 5 6 6 7 7 until the end.
#define TOKENAVX2(acts, low, high) \
	VPBROADCASTQ (acts)(AX*1), Y10 \
	VPMADDWD Y8, Y10, Y11          \
	VPADDD Y11, low, low           \
	VPMADDWD Y9, Y10, Y12          \
	VPADDD Y12, high, high

#define JOIN(low, high) \
	VPHADDD high, low, low  \
	VPERMQ $0xd8, low, low

// func productAVX2(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)
TEXT ·productAVX2(SB), NOSPLIT, $0-64
	ENTER

columns:
	VPMOVSXBW (SI), Y8
	VPMOVSXBW 16(SI), Y9
	TOKENAVX2(R8, Y0, Y1)
	TOKENAVX2(R10, Y2, Y3)
	TOKENAVX2(R11, Y4, Y5)
	TOKENAVX2(R12, Y6, Y7)
	ADDQ $32, SI
	ADDQ $8, AX
	SUBQ $4, CX
	JNZ  columns

	LEAVE
	JOIN(Y0, Y1)
	JOIN(Y2, Y3)
	JOIN(Y4, Y5)
	JOIN(Y6, Y7)
	VMOVUPS (R13), Y13
	VMOVDQU (R15), Y14
	VMOVUPS (R14), Y15
	FINISH(Y0, 0, (DI))
	ADDQ R9, DI
	FINISH(Y2, 1, (DI))
	ADDQ R9, DI
	FINISH(Y4, 2, (DI))
	ADDQ R9, DI
	FINISH(Y6, 3, (DI))
	VZEROUPPER
	RET

#define TOKENVNNI(acts, low, high) \
	VPBROADCASTD (acts)(AX*1), Y10 \
	VPDPBUSD Y8, Y10, low          \
	VPDPBUSD Y9, Y10, high

// func productVNNI(dst *float32, dstStride int, cells *byte, depth int, acts *byte, actStride int, r *rowsOf, t *fourTokens)
// The second sum of each token is that of the next block of eight rows.
TEXT ·productVNNI(SB), NOSPLIT, $0-64
	ENTER
	LEAQ (SI)(CX*8), DX

columns:
	VMOVDQU (SI), Y8
	VMOVDQU (DX), Y9
	TOKENVNNI(R8, Y0, Y1)
	TOKENVNNI(R10, Y2, Y3)
	TOKENVNNI(R11, Y4, Y5)
	TOKENVNNI(R12, Y6, Y7)
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $4, AX
	SUBQ $4, CX
	JNZ  columns

	LEAVE
	VMOVUPS (R13), Y13
	VMOVDQU (R15), Y14
	VMOVUPS (R14), Y15
	MOVQ DI, SI
	FINISH(Y0, 0, (DI))
	ADDQ R9, DI
	FINISH(Y2, 1, (DI))
	ADDQ R9, DI
	FINISH(Y4, 2, (DI))
	ADDQ R9, DI
	FINISH(Y6, 3, (DI))
	VMOVUPS 32(R13), Y13
	VMOVDQU 32(R15), Y14
	VMOVUPS 32(R14), Y15
	FINISH(Y1, 0, 32(SI))
	ADDQ R9, SI
	FINISH(Y3, 1, 32(SI))
	ADDQ R9, SI
	FINISH(Y5, 2, 32(SI))
	ADDQ R9, SI
	FINISH(Y7, 3, 32(SI))
	VZEROUPPER
	RET
