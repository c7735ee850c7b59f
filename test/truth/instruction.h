#ifndef XPROF_TEST_TRUTH_INSTRUCTION_H
#define XPROF_TEST_TRUTH_INSTRUCTION_H

/* Recognises the few instructions that make and leave frames, by their bytes. */

#include <stddef.h>
#include <stdint.h>

enum { INSTRUCTION_MAX_BYTES = 15 };

enum instruction_kind {
	INSTRUCTION_OTHER,
	INSTRUCTION_CALL,
	INSTRUCTION_RETURN,
	INSTRUCTION_INDIRECT_JUMP, /* how longjmp and context switches leave a function */
	INSTRUCTION_POP,           /* of a register */
	INSTRUCTION_SYSCALL,
};

struct instruction {
	enum instruction_kind kind;
	size_t size_bytes; /* of a call; may be 0 for others */
};

/* For x86-64. `size`: number of known bytes from the instruction's first on. */
struct instruction instruction_decode(const uint8_t *bytes, size_t size);

/* For aarch64. A jump to the link register counts as a return. */
struct instruction instruction_decode_aarch64(uint32_t word);

#endif
