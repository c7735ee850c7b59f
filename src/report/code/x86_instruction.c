/* Zydis decodes one instruction for each call; in a build without Zydis all functions return that nothing is known. */
#include "report/code/x86_instruction.h"

#ifdef HAVE_LIBZYDIS
#include <Zydis/Zydis.h>

static bool decode(const uint8_t *bytes, size_t size, bool is_64bit, ZydisDecodedInstruction *instruction)
{
	ZydisDecoder decoder;

	return ZYAN_SUCCESS(ZydisDecoderInit(
		       &decoder, is_64bit ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
		       is_64bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32)) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, bytes, size, instruction));
}

size_t x86_instruction_length(const uint8_t *bytes, size_t size, bool is_64bit)
{
	ZydisDecodedInstruction instruction;

	return decode(bytes, size, is_64bit, &instruction) ? instruction.length : 0;
}

bool x86_instruction_is_branch(const uint8_t *bytes, size_t size, bool is_64bit)
{
	ZydisDecodedInstruction instruction;

	if (!decode(bytes, size, is_64bit, &instruction))
		return false;
	switch (instruction.meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_UNCOND_BR: return true;
	default:
		return instruction.mnemonic == ZYDIS_MNEMONIC_VMLAUNCH ||
		       instruction.mnemonic == ZYDIS_MNEMONIC_VMRESUME;
	}
}

bool x86_instruction_is_indirect(const uint8_t *bytes, size_t size, bool is_64bit)
{
	ZydisDecodedInstruction instruction;

	return decode(bytes, size, is_64bit, &instruction) &&
	       (instruction.meta.category == ZYDIS_CATEGORY_CALL ||
		instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR) &&
	       instruction.raw.imm[0].size == 0;
}

#else

size_t x86_instruction_length(const uint8_t *bytes, size_t size, bool is_64bit)
{
	(void)bytes, (void)size, (void)is_64bit;
	return 0;
}

bool x86_instruction_is_branch(const uint8_t *bytes, size_t size, bool is_64bit)
{
	(void)bytes, (void)size, (void)is_64bit;
	return false;
}

bool x86_instruction_is_indirect(const uint8_t *bytes, size_t size, bool is_64bit)
{
	(void)bytes, (void)size, (void)is_64bit;
	return false;
}

#endif
