#include "support/dumped_sample.h"

#include <linux/perf_event.h>

enum { PC = 8 /* PERF_REG_X86_IP */, REGISTER_MASK = 0x1ff };

void dumped_sample_init(struct dumped_sample *dumped, uint64_t pc)
{
	*dumped = (struct dumped_sample){ .registers = { [PC] = pc } };
	dumped->sample = (struct sample){ .misc = PERF_RECORD_MISC_USER,
					  .ip = pc,
					  .user_regs_abi = PERF_SAMPLE_REGS_ABI_64,
					  .user_regs_mask = REGISTER_MASK,
					  .user_regs = (const uint8_t *)dumped->registers,
					  .user_stack = (const uint8_t *)dumped->stack,
					  .user_stack_size = sizeof(dumped->stack) };
}
