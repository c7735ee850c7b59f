/* struct pt_regs has the kernel's own order of registers; samples have that of uapi asm/perf_regs.h. */
#include "record/wait/user_registers.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__x86_64__)
enum { CS = 17, USER32_CS = 0x23 };

/* Indexed by enum perf_event_x86_regs: the word of struct pt_regs, arch/x86/include/asm/ptrace.h; -1 if it has none. */
static const int words[] = { 10, 5,  11, 12, 13, 14, 4, 19, 16, 18, 17, 20,
			     -1, -1, -1, -1, 9,  8,  7, 6,  3,  2,  1,  0 };

static uint64_t abi_of(const uint64_t *registers)
{
	return registers[CS] == USER32_CS ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64;
}
#elif defined(__aarch64__)
enum { PSTATE = 33, PSTATE_AARCH32 = 0x10 };

/* x0 to x30, sp and pc, as in struct user_pt_regs. */
static const int words[] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16,
			     17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };

static uint64_t abi_of(const uint64_t *registers)
{
	return registers[PSTATE] & PSTATE_AARCH32 ? PERF_SAMPLE_REGS_ABI_32 : PERF_SAMPLE_REGS_ABI_64;
}
#else
static const int words[] = { -1 };

static uint64_t abi_of(const uint64_t *registers)
{
	(void)registers;
	return PERF_SAMPLE_REGS_ABI_64;
}
#endif

void user_registers_add(struct strbuf *record, const uint64_t *registers, uint64_t mask)
{
	const size_t known = sizeof(words) / sizeof(*words);

	strbuf_add_u64(record, abi_of(registers), false);
	for (size_t bit = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			strbuf_add_u64(record, bit < known && words[bit] >= 0 ? registers[words[bit]] : 0,
				       false);
}
