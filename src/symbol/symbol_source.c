/*
 * The part that all kinds of sources share: names and addresses from an ELF file, the reason if there are none, and
 * destruction.
 */
#include "symbol/symbol_source.h"

#include <stdlib.h>

#include "base/xalloc.h"

symbol_map_demangle *symbol_source_demangle(const struct symbol_environment *environment,
					    const struct symbol_object *object)
{
	return environment->options->demangle && !symbol_object_is_kernel(object) ? environment->demangle :
										    NULL;
}

int symbol_source_vaddr(const struct symbol_source *source, uint64_t address, uint64_t *vaddr)
{
	if (source->place)
		return kernel_place_vaddr(source->place, address, vaddr);
	return elf_file_offset_to_vaddr(elf_symbols_file(source->elf), address, vaddr);
}

void symbol_source_set_origin(struct symbol_source *source, const char *origin)
{
	free(source->origin);
	source->origin = origin ? xstrdup(origin) : NULL;
}

void symbol_source_read_elf(struct symbol_source *source, enum symbol_map_overlap overlap)
{
	struct elf_symbols *elf = source->elf;
	const char *problem;

	elf_symbols_read(elf, overlap, symbol_source_demangle(source->environment, source->object),
			 source->environment->demangle_context);
	if (elf_symbols_check_whole(elf, &source->why) < 0)
		return;
	source->is_named_by_elf = true;
	symbol_source_set_origin(source, elf_symbols_source(elf));
	problem = elf_symbols_problem(elf);
	if (source->origin)
		return;
	if (*problem)
		error_set(&source->why, "%s", problem);
	else
		error_set(&source->why,
			  "%s is stripped: install its debug symbols, or keep the unstripped file",
			  elf_file_path(elf_symbols_file(elf)));
}

struct symbol_map_entry *symbol_source_find_in_elf(struct symbol_source *source, uint64_t address,
						   uint64_t *map_address)
{
	if (symbol_source_vaddr(source, address, map_address) < 0)
		return NULL;
	(void)elf_symbols_reach(source->elf, *map_address);
	return symbol_map_find(elf_symbols_map(source->elf), *map_address);
}

void symbol_source_destroy(struct symbol_source *source)
{
	if (!source)
		return;
	if (source->kind->fini)
		source->kind->fini(source);
	elf_symbols_destroy(source->elf);
	kernel_place_destroy(source->place);
	free(source->origin);
	free(source);
}
