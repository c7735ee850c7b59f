#ifndef XPROF_TEST_SUPPORT_CODE_TEXT_H
#define XPROF_TEST_SUPPORT_CODE_TEXT_H

/*
 * The effects of an instruction as text, for expectations: push %rbp is "next r7=r7-8 *(r7+0)=r6". Registers have DWARF
 * numbers.
 */

#include "unwind/arch/code_instruction.h"

enum { CODE_TEXT_BYTES = 256 };

void code_text(char text[static CODE_TEXT_BYTES], const struct code_instruction *instruction);

#endif
