#include "unwind/code_instruction.h"

bool code_instruction_aarch64(const uint8_t *bytes, size_t size, struct code_instruction *instruction)
{
	(void)bytes;
	(void)size;
	*instruction = (struct code_instruction){ .flow = CODE_NEXT };
	return false;
}
