#include "support/built_module.h"

#include <elf.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "support/cmocka.h"

int built_module_set_up(void **state)
{
	struct built_module *built = xcalloc(1, sizeof(*built));

	cfi_builder_init(&built->builder, EM_X86_64);
	*state = built;
	return 0;
}

int built_module_tear_down(void **state)
{
	struct built_module *built = *state;

	module_destroy(built->module);
	cfi_builder_fini(&built->builder);
	free(built);
	return 0;
}

void built_module_begin(struct built_module *built, uint16_t machine)
{
	cfi_builder_fini(&built->builder);
	cfi_builder_init(&built->builder, machine);
}

void built_module_make(struct built_module *built)
{
	module_destroy(built->module);
	built->module = module_create(3, cfi_builder_file(&built->builder), NULL, NULL);
	assert_non_null(built->module);
}

int built_module_cfa_offset(const struct built_module *built, uint64_t vaddr, bool is_return_address)
{
	const struct unwind_rule *rule = module_rule(built->module, vaddr, is_return_address);

	return rule->path == PATH_NO_CFI ? -1 : rule->cfa.value;
}
