#include "support/rule_text.h"

#include <stdio.h>
#include <string.h>

void rule_text_cfa(char *text, const struct cfa_rule *cfa)
{
	switch (cfa->kind) {
	case CFA_REGISTER: snprintf(text, RULE_TEXT_BYTES, "r%d%+d", cfa->reg, cfa->value); break;
	case CFA_AT_REGISTER:
		snprintf(text, RULE_TEXT_BYTES, "*(r%d%+d)%+d", cfa->reg, cfa->value, cfa->addend);
		break;
	case CFA_PLT:
		snprintf(text, RULE_TEXT_BYTES, "r%d%+d+((pc&%u)>=%u)<<%u", cfa->reg, cfa->value,
			 cfa_plt_mask(cfa), cfa_plt_threshold(cfa), cfa_plt_shift(cfa));
		break;
	case CFA_EXPRESSION: snprintf(text, RULE_TEXT_BYTES, "expression"); break;
	default: snprintf(text, RULE_TEXT_BYTES, "unspecified");
	}
}

void rule_text_register(char *text, const struct unwind_arch *arch, const struct register_rule *rule)
{
	switch (rule->kind) {
	case RULE_UNSPECIFIED:
		snprintf(text, RULE_TEXT_BYTES, rule->column == arch->sp ? "cfa+0" : "unspecified");
		break;
	case RULE_UNDEFINED: snprintf(text, RULE_TEXT_BYTES, "undefined"); break;
	case RULE_SAME_VALUE: snprintf(text, RULE_TEXT_BYTES, "same"); break;
	case RULE_AT_CFA: snprintf(text, RULE_TEXT_BYTES, "*(cfa%+d)", rule->value); break;
	case RULE_CFA_PLUS: snprintf(text, RULE_TEXT_BYTES, "cfa%+d", rule->value); break;
	case RULE_REGISTER_PLUS: snprintf(text, RULE_TEXT_BYTES, "r%d%+d", rule->reg, rule->value); break;
	case RULE_AT_REGISTER: snprintf(text, RULE_TEXT_BYTES, "*(r%d%+d)", rule->reg, rule->value); break;
	case RULE_AT_EXPRESSION: snprintf(text, RULE_TEXT_BYTES, "*(expression)"); break;
	default: snprintf(text, RULE_TEXT_BYTES, "expression");
	}
}

struct register_rule rule_text_find(const struct unwind_arch *arch, const struct unwind_rule *rule,
				    uint8_t column)
{
	if (column == rule->ra.column)
		return rule->ra;
	if (column == arch->fp)
		return rule->fp;
	for (uint8_t i = 0; i < rule->other_count; i++)
		if (rule->others[i].column == column)
			return rule->others[i];
	return (struct register_rule){ .kind = RULE_UNSPECIFIED, .column = column };
}

void rule_text(char text[static RULE_TEXT_BYTES], const struct unwind_arch *arch,
	       const struct unwind_rule *rule)
{
	char part[RULE_TEXT_BYTES];
	size_t size;

	rule_text_cfa(part, &rule->cfa);
	size = (size_t)snprintf(text, RULE_TEXT_BYTES, "cfa=%s", part);
	for (uint8_t column = 0; column < arch->register_count && size < RULE_TEXT_BYTES; column++) {
		struct register_rule found = rule_text_find(arch, rule, column);

		if (found.kind == RULE_UNSPECIFIED)
			continue;
		rule_text_register(part, arch, &found);
		size += (size_t)snprintf(text + size, RULE_TEXT_BYTES - size, " r%d=%.100s", column, part);
	}
	if (rule->signal_frame && size < RULE_TEXT_BYTES)
		snprintf(text + size, RULE_TEXT_BYTES - size, " signal");
}
