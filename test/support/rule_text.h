#ifndef XPROF_TEST_SUPPORT_RULE_TEXT_H
#define XPROF_TEST_SUPPORT_RULE_TEXT_H

/* Unwind rules as text, for expectations: "r7+8" is a register and an offset, "*(cfa-16)" is the word of the stack there. */

#include "unwind/arch/unwind_arch.h"

enum { RULE_TEXT_BYTES = 512 };

void rule_text_cfa(char *text, const struct cfa_rule *cfa);
void rule_text_register(char *text, const struct unwind_arch *arch, const struct register_rule *rule);

/* The rule of a column, wherever it is stored. */
struct register_rule rule_text_find(const struct unwind_arch *arch, const struct unwind_rule *rule,
				    uint8_t column);

/*
 * "cfa=r7+16 r6=*(cfa-16) r16=*(cfa-8)": what the rule specifies, sorted by column; " signal" is appended for a signal
 * frame.
 */
void rule_text(char text[static RULE_TEXT_BYTES], const struct unwind_arch *arch,
	       const struct unwind_rule *rule);

#endif
