/* One switch: each kind of DSO, and what the symbolizer has to know of it. */
#include "report/names/dso_symbols.h"

bool dso_symbols_object(const struct dso *dso, struct symbol_object *object)
{
	*object = (struct symbol_object){ .path = dso->path,
					  .build_id = dso->build_id,
					  .code_file_offset = dso->code_file_offset };
	switch (dso->kind) {
	case DSO_FILE:
		object->kind = SYMBOL_OBJECT_ELF;
		dso_mappers(dso, object->pids);
		break;
	case DSO_VDSO: object->kind = SYMBOL_OBJECT_VDSO; break;
	case DSO_KERNEL:
		object->kind = SYMBOL_OBJECT_KERNEL;
		object->relocation_symbol = dso->relocation_symbol;
		object->relocation_address = dso->relocation_address;
		break;
	case DSO_MODULE:
		object->kind = SYMBOL_OBJECT_MODULE;
		object->relocation_address = dso->relocation_address;
		break;
	case DSO_ANON:
		object->kind = SYMBOL_OBJECT_PERF_MAP;
		object->pid = dso->pid;
		break;
	case DSO_JITDUMP:
		object->kind = SYMBOL_OBJECT_JITDUMP;
		object->pid = dso->pid;
		break;
	case DSO_SYMFILE: object->kind = SYMBOL_OBJECT_SYMFILE; break;
	case DSO_UNKNOWN: object->kind = SYMBOL_OBJECT_LISTED; break;
	case DSO_KSYMBOL: return false;
	}
	return true;
}

struct symbol_table *dso_symbols_table(struct symbolizer *symbolizer, const struct dso *dso)
{
	struct symbol_object object;

	if (!dso_symbols_object(dso, &object))
		return NULL;
	return symbolizer_table(symbolizer, &object);
}
