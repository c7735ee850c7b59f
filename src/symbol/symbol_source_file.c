/*
 * Programs and libraries. The file with the recorded build-id is opened with the source. Its symbols are read at the first
 * lookup, and only those that decide about the addresses that will be looked up.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "symbol/recorded_file.h"
#include "symbol/symbol_lists.h"
#include "symbol/symbol_source.h"

static void want_vaddrs(const struct symbol_source *source)
{
	uint64_t *vaddrs = xmalloc((source->wanted_count + 1) * sizeof(*vaddrs));
	size_t kept = 0;

	for (size_t i = 0; i < source->wanted_count; i++)
		if (symbol_source_vaddr(source, source->wanted[i], &vaddrs[kept]) == 0)
			kept++;
	elf_symbols_want(source->elf, vaddrs, kept);
	free(vaddrs);
}

static void load_file(struct symbol_source *source)
{
	if (!source->elf)
		return;
	if (source->wanted_count)
		want_vaddrs(source);
	symbol_source_read_elf(source, SYMBOL_MAP_INNERMOST_FUNCTION);
}

static struct symbol_map_entry *find_in_file(struct symbol_source *source, uint64_t address,
					     uint64_t *map_address)
{
	return source->is_named_by_elf ? symbol_source_find_in_elf(source, address, map_address) : NULL;
}

static bool is_listed(const struct symbol_source *source)
{
	struct symbol_lists *lists = source->environment->options->lists;

	return lists && symbol_lists_find(lists, source->object->path);
}

struct symbol_source *symbol_source_of_file(const struct symbol_environment *environment,
					    const struct symbol_object *object)
{
	static const struct symbol_source_kind kind = { .load = load_file, .find = find_in_file };
	const struct recorded_file recorded = { .path = object->path,
						.build_id = object->build_id,
						.pids = object->pids,
						.is_vdso = object->kind == DSO_VDSO };
	struct symbol_source *source = xcalloc(1, sizeof(*source));
	struct elf_file *file = NULL;

	*source = (struct symbol_source){ .kind = &kind, .environment = environment, .object = object };
	/*
	 * Without a build-id, the file at the path may be another than the recorded one. The recording's own symbols, if
	 * any, win then.
	 */
	if (recorded.build_id.size || !is_listed(source))
		file = recorded_file_open(&recorded, environment->search, &source->why);
	if (file) {
		source->elf = elf_symbols_open(file, environment->search);
		source->form = OBJECT_FORM_ELF;
	}
	return source;
}
