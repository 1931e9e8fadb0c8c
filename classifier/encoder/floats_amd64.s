//go:build !purego

#include "textflag.h"

// SUMLANES adds the eight lanes of Y0 up in the order of sumLanes; the sum is in X0.
#define SUMLANES \
	VEXTRACTF128 $1, Y0, X1  \
	VADDPS X1, X0, X0        \
	VMOVHLPS X0, X0, X1      \
	VADDPS X1, X0, X0        \
	VMOVSHDUP X0, X1         \
	VADDSS X1, X0, X0

// func extremesAVX2(x []float32) (low, high float32)
TEXT ·extremesAVX2(SB), NOSPLIT, $0-32
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y2, Y2, Y2

next:
	VMOVUPS (SI), Y3
	VMINPS Y3, Y0, Y0
	VMAXPS Y3, Y2, Y2
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  next

	VEXTRACTF128 $1, Y0, X1
	VMINPS X1, X0, X0
	VMOVHLPS X0, X0, X1
	VMINPS X1, X0, X0
	VMOVSHDUP X0, X1
	VMINSS X1, X0, X0
	VMOVSS X0, low+24(FP)
	VEXTRACTF128 $1, Y2, X1
	VMAXPS X1, X2, X2
	VMOVHLPS X2, X2, X1
	VMAXPS X1, X2, X2
	VMOVSHDUP X2, X1
	VMAXSS X1, X2, X2
	VMOVSS X2, high+28(FP)
	VZEROUPPER
	RET

// STEPS turns eight numbers into whole ones from 0 up.
#define STEPS(at, steps) \
	VMULPS at, Y8, steps       \
	VCVTPS2DQ steps, steps     \
	VPADDD Y9, steps, steps    \
	VPMAXSD Y10, steps, steps

// func quantiseAVX2(dst []byte, x []float32, factor float32, zero int32)
// An activation is kept in two bytes.
TEXT ·quantiseAVX2(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VBROADCASTSS factor+48(FP), Y8
	MOVL zero+52(FP), AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	VPXOR Y10, Y10, Y10
	VPCMPEQW Y11, Y11, Y11
	VPSRLW $8, Y11, Y11

next:
	STEPS((SI), Y0)
	STEPS(32(SI), Y1)
	VPACKSSDW Y1, Y0, Y0
	VPERMQ $0xd8, Y0, Y0
	VPMINSW Y11, Y0, Y0
	VMOVDQU Y0, (DI)
	ADDQ $64, SI
	ADDQ $32, DI
	SUBQ $16, CX
	JNZ  next
	VZEROUPPER
	RET

// func quantiseVNNI(dst []byte, x []float32, factor float32, zero int32)
TEXT ·quantiseVNNI(SB), NOSPLIT, $0-56
	MOVQ dst_base+0(FP), DI
	MOVQ x_base+24(FP), SI
	MOVQ x_len+32(FP), CX
	VBROADCASTSS factor+48(FP), Y8
	MOVL zero+52(FP), AX
	VMOVD AX, X9
	VPBROADCASTD X9, Y9
	VPXOR Y10, Y10, Y10

next:
	STEPS((SI), Y0)
	VPMOVUSDB Y0, X0
	VMOVQ X0, (DI)
	ADDQ $32, SI
	ADDQ $8, DI
	SUBQ $8, CX
	JNZ  next
	VZEROUPPER
	RET

#define POWER(k) \
	VBROADCASTSS ·geluCurve+(4*k)(SB), Y4 \
	VMULPS Y2, Y3, Y3                     \
	VADDPS Y4, Y3, Y3

// func geluAVX2(x []float32)
TEXT ·geluAVX2(SB), NOSPLIT, $0-24
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	VBROADCASTSS ·geluNumbers+0(SB), Y11
	VBROADCASTSS ·geluNumbers+4(SB), Y12
	VBROADCASTSS ·geluNumbers+8(SB), Y13
	VBROADCASTSS ·geluNumbers+12(SB), Y14
	VBROADCASTSS ·geluNumbers+16(SB), Y15
	VBROADCASTSS ·geluCurve+44(SB), Y10

next:
	VMOVUPS (SI), Y0
	VMAXPS Y11, Y0, Y1
	VMINPS Y12, Y1, Y1
	VMULPS Y1, Y1, Y2
	VMULPS Y13, Y2, Y2
	VADDPS Y14, Y2, Y2
	VMOVAPS Y10, Y3
	POWER(10)
	POWER(9)
	POWER(8)
	POWER(7)
	POWER(6)
	POWER(5)
	POWER(4)
	POWER(3)
	POWER(2)
	POWER(1)
	POWER(0)
	VMULPS Y1, Y3, Y3
	VADDPS Y15, Y3, Y3
	VMULPS Y0, Y3, Y3
	VMOVUPS Y3, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  next
	VZEROUPPER
	RET

// func addSumAVX2(x, y []float32) float32
TEXT ·addSumAVX2(SB), NOSPLIT, $0-52
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	MOVQ y_base+24(FP), DI
	VXORPS Y0, Y0, Y0

next:
	VMOVUPS (SI), Y2
	VADDPS (DI), Y2, Y2
	VMOVUPS Y2, (SI)
	VADDPS Y2, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JNZ  next
	SUMLANES
	VMOVSS X0, ret+48(FP)
	VZEROUPPER
	RET

// func squaresAVX2(x []float32, mean float32) float32
TEXT ·squaresAVX2(SB), NOSPLIT, $0-36
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	VBROADCASTSS mean+24(FP), Y3
	VXORPS Y0, Y0, Y0

next:
	VMOVUPS (SI), Y2
	VSUBPS Y3, Y2, Y2
	VMOVUPS Y2, (SI)
	VMULPS Y2, Y2, Y2
	VADDPS Y2, Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  next
	SUMLANES
	VMOVSS X0, ret+32(FP)
	VZEROUPPER
	RET

// func scaleShiftAVX2(x []float32, factor float32, scale, shift []float32)
TEXT ·scaleShiftAVX2(SB), NOSPLIT, $0-80
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	VBROADCASTSS factor+24(FP), Y3
	MOVQ scale_base+32(FP), DI
	MOVQ shift_base+56(FP), DX

next:
	VMULPS (SI), Y3, Y2
	VMULPS (DI), Y2, Y2
	VADDPS (DX), Y2, Y2
	VMOVUPS Y2, (SI)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, DX
	SUBQ $8, CX
	JNZ  next
	VZEROUPPER
	RET

// func combineAVX2(dst []float32, coefficients []float32, rows *float32, stride int)
TEXT ·combineAVX2(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ coefficients_base+24(FP), SI
	MOVQ coefficients_len+32(FP), BX
	MOVQ rows+48(FP), R8
	MOVQ stride+56(FP), R9
	SHLQ $2, R9

wide: // thirty-two at a time
	CMPQ CX, $32
	JLT  narrow
	MOVQ R8, R10
	MOVQ SI, R11
	MOVQ BX, DX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

wideRow:
	VBROADCASTSS (R11), Y4
	VMULPS (R10), Y4, Y5
	VMULPS 32(R10), Y4, Y6
	VMULPS 64(R10), Y4, Y7
	VMULPS 96(R10), Y4, Y8
	VADDPS Y5, Y0, Y0
	VADDPS Y6, Y1, Y1
	VADDPS Y7, Y2, Y2
	VADDPS Y8, Y3, Y3
	ADDQ R9, R10
	ADDQ $4, R11
	DECQ DX
	JNZ  wideRow
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, R8
	SUBQ $32, CX
	JMP  wide

narrow: // eight at a time
	TESTQ CX, CX
	JZ   done
	MOVQ R8, R10
	MOVQ SI, R11
	MOVQ BX, DX
	VXORPS Y0, Y0, Y0

narrowRow:
	VBROADCASTSS (R11), Y4
	VMULPS (R10), Y4, Y5
	VADDPS Y5, Y0, Y0
	ADDQ R9, R10
	ADDQ $4, R11
	DECQ DX
	JNZ  narrowRow
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, R8
	SUBQ $8, CX
	JMP  narrow

done:
	VZEROUPPER
	RET

#define EXPPOWER(k) \
	VBROADCASTSS ·expCurve+(4*k)(SB), Y5 \
	VMULPS Y2, Y4, Y4                    \
	VADDPS Y5, Y4, Y4

// func exponentialsAVX2(x []float32, most float32) float32
TEXT ·exponentialsAVX2(SB), NOSPLIT, $0-36
	MOVQ x_base+0(FP), SI
	MOVQ x_len+8(FP), CX
	VBROADCASTSS most+24(FP), Y9
	VBROADCASTSS ·expNumbers+0(SB), Y10
	VBROADCASTSS ·expNumbers+4(SB), Y11
	VBROADCASTSS ·expNumbers+8(SB), Y12
	VBROADCASTSS ·expNumbers+12(SB), Y13
	VBROADCASTSS ·expNumbers+16(SB), Y14
	VBROADCASTSS ·expCurve+0(SB), Y15
	MOVL $127, AX
	VMOVD AX, X8
	VPBROADCASTD X8, Y8
	VXORPS Y0, Y0, Y0

next:
	VMOVUPS (SI), Y2
	VSUBPS Y9, Y2, Y2
	VMAXPS Y10, Y2, Y2
	VMULPS Y11, Y2, Y3
	VADDPS Y12, Y3, Y3
	VSUBPS Y12, Y3, Y3
	VMULPS Y13, Y3, Y4
	VSUBPS Y4, Y2, Y2
	VMULPS Y14, Y3, Y4
	VSUBPS Y4, Y2, Y2
	VCVTPS2DQ Y3, Y3
	VPADDD Y8, Y3, Y3
	VPSLLD $23, Y3, Y3
	VMOVAPS Y15, Y4
	EXPPOWER(1)
	EXPPOWER(2)
	EXPPOWER(3)
	EXPPOWER(4)
	EXPPOWER(5)
	VMULPS Y3, Y4, Y4
	VMOVUPS Y4, (SI)
	VADDPS Y4, Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  next
	SUMLANES
	VMOVSS X0, ret+32(FP)
	VZEROUPPER
	RET
