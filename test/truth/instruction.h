#ifndef XPROF_TEST_TRUTH_INSTRUCTION_H
#define XPROF_TEST_TRUTH_INSTRUCTION_H

/* The few instructions that make and leave frames, told by their bytes. */

#include <stddef.h>
#include <stdint.h>

enum { INSTRUCTION_MAX_BYTES = 15 };

enum instruction_kind {
	INSTRUCTION_OTHER,
	INSTRUCTION_CALL,
	INSTRUCTION_RETURN,
	INSTRUCTION_INDIRECT_JUMP, /* how longjmp and context switches leave */
	INSTRUCTION_POP,           /* of a register */
	INSTRUCTION_SYSCALL,
};

struct instruction {
	enum instruction_kind kind;
	size_t size_bytes; /* of a call; of others it may be 0 */
};

/* Of x86-64; `size` bytes are known from the instruction's first on. */
struct instruction instruction_decode(const uint8_t *bytes, size_t size);

/* Of aarch64. A jump to the link register is a return. */
struct instruction instruction_decode_aarch64(uint32_t word);

#endif
