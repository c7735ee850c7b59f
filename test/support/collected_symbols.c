#include "support/collected_symbols.h"

#include "support/cmocka.h"

void collected_symbols_add(const struct elf_symbol *symbol, void *context)
{
	struct collected_symbols *collected = context;

	assert_true(collected->count < COLLECTED_SYMBOLS);
	collected->symbols[collected->count++] = *symbol;
}
