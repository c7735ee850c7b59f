/* Symbols that are stored in the recording, as simpleperf writes them. They need no loading. */
#include "base/xalloc.h"
#include "symbol/symbol_lists.h"
#include "symbol/symbol_source.h"

struct listed_symbols {
	struct symbol_source source;
	struct symbol_map *map; /* owned by the list */
	uint64_t relocation;    /* address in the list + relocation = address in the object */
};

static struct symbol_map_entry *find_listed(struct symbol_source *source, uint64_t address,
					    uint64_t *map_address)
{
	const struct listed_symbols *listed = (const struct listed_symbols *)source;

	*map_address = address - listed->relocation;
	return symbol_map_find(listed->map, *map_address);
}

static uint64_t relocation_of(const struct symbol_list *list, const struct symbol_object *object)
{
	if (object->kind == DSO_SYMFILE)
		return 0;
	return symbol_list_relocation(list, object->kind == DSO_MODULE ? object->relocation_address :
									 object->code_file_offset);
}

struct symbol_source *symbol_source_of_list(const struct symbol_environment *environment,
					    const struct symbol_object *object)
{
	static const struct symbol_source_kind kind = { .find = find_listed };
	struct symbol_lists *lists = environment->options->lists;
	struct symbol_list *list = lists ? symbol_lists_find(lists, object->path) : NULL;
	struct listed_symbols *listed;

	if (!list)
		return NULL;
	listed = xcalloc(1, sizeof(*listed));
	listed->source = (struct symbol_source){
		.kind = &kind, .environment = environment, .object = object, .form = OBJECT_FORM_NONE
	};
	listed->map = symbol_list_map(list, symbol_source_demangle(environment, object),
				      environment->demangle_context);
	listed->relocation = relocation_of(list, object);
	symbol_source_set_origin(&listed->source, "the recording");
	return &listed->source;
}
