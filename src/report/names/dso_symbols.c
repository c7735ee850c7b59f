/* Converts a DSO to what identifies it for the symbolizer. */
#include "report/names/dso_symbols.h"

bool dso_symbols_object(const struct dso *dso, struct symbol_object *object)
{
	*object = (struct symbol_object){ .kind = dso->kind,
					  .path = dso->path,
					  .build_id = dso->build_id,
					  .code_file_offset = dso->code_file_offset };
	switch (dso->kind) {
	case DSO_FILE: dso_mappers(dso, object->pids); break;
	case DSO_KERNEL:
		object->relocation_symbol = dso->relocation_symbol;
		object->relocation_address = dso->relocation_address;
		break;
	case DSO_MODULE: object->relocation_address = dso->relocation_address; break;
	case DSO_ANON:
	case DSO_JITDUMP: object->pid = dso->pid; break;
	case DSO_VDSO:
	case DSO_SYMFILE:
	case DSO_UNKNOWN: break;
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
