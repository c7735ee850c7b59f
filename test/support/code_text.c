#include "support/code_text.h"

#include <inttypes.h>
#include <stdio.h>

static size_t add_effect(char *text, size_t size, const struct code_effect *effect)
{
	switch (effect->kind) {
	case CODE_SET:
		return (size_t)snprintf(text, size, " r%d=r%d%+d", effect->reg, effect->base, effect->value);
	case CODE_LOAD:
		return (size_t)snprintf(text, size, " r%d=*(r%d%+d)", effect->reg, effect->base,
					effect->value);
	case CODE_STORE:
		if (effect->reg == CODE_NO_REGISTER)
			return (size_t)snprintf(text, size, " *(r%d%+d)=%d bytes", effect->base,
						effect->value, effect->size_bytes);
		return (size_t)snprintf(text, size, " *(r%d%+d)=r%d", effect->base, effect->value,
					effect->reg);
	default: return (size_t)snprintf(text, size, " r%d lost", effect->reg);
	}
}

void code_text(char text[static CODE_TEXT_BYTES], const struct code_instruction *instruction)
{
	const size_t size = CODE_TEXT_BYTES;
	static const char *const flows[] = { "next", "call", "branch", "jump", "jump somewhere", "end" };
	size_t used = (size_t)snprintf(text, size, "%s", flows[instruction->flow]);

	if (instruction->has_target)
		used += (size_t)snprintf(text + used, size - used, " %+" PRId64, instruction->target);
	if (instruction->names_code)
		used += (size_t)snprintf(text + used, size - used, " names %+" PRId64, instruction->target);
	if (instruction->is_padding)
		used += (size_t)snprintf(text + used, size - used, " padding");
	for (size_t i = 0; i < instruction->effect_count; i++)
		used += add_effect(text + used, size - used, &instruction->effects[i]);
}
