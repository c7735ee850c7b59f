/*
 * The process table finds the mapping of an address, the symbol table of the mapping's DSO the function. Names and
 * tables are kept by number of DSO. Some addresses are shown as perf shows them: is_file_to_perf() knows which mappings
 * perf takes for files.
 */
#include "report/script/script_place.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "format/elided_frames.h"
#include "report/names/dso_symbols.h"
#include "text/safe_text.h"

struct known_dso {
	char *name;                 /* NULL: not looked up yet */
	struct symbol_table *table; /* NULL if it has none */
};

struct script_places {
	struct script_sources sources;
	struct known_dso *dsos; /* by DSO number */
	size_t count, capacity;
	char elided[ELIDED_FRAMES_NAME_SIZE]; /* the name found last */
};

struct script_places *script_places_create(const struct script_sources *sources)
{
	struct script_places *places = xcalloc(1, sizeof(*places));

	places->sources = *sources;
	return places;
}

void script_places_destroy(struct script_places *places)
{
	if (!places)
		return;
	for (size_t i = 0; i < places->count; i++)
		free(places->dsos[i].name);
	free(places->dsos);
	free(places);
}

static bool is_in_build_id_table(const struct perf_features *features, const char *path)
{
	for (size_t i = 0; i < features->build_id_count; i++)
		if (features->build_ids[i].misc == PERF_RECORD_MISC_KERNEL &&
		    strcmp(features->build_ids[i].path, path) == 0)
			return true;
	return false;
}

/*
 * perf shows the name by which it first knew a DSO: a module's file if the table of build-ids lists it, else the module's name.
 * JIT code of a process is named after the file that may list its functions.
 */
static char *shown_name(const struct script_places *places, const struct dso *dso)
{
	switch (dso->kind) {
	case DSO_VDSO:
	case DSO_KERNEL:
	case DSO_KSYMBOL: return xstrdup(dso->name);
	case DSO_MODULE:
		return xstrdup(is_in_build_id_table(places->sources.features, dso->path) ? dso->path :
											   dso->name);
	case DSO_ANON:
		if (strcmp(dso->path, "//anon") == 0)
			return xasprintf("/tmp/perf-%" PRId32 ".map", (int32_t)dso->pid);
		return xstrdup(dso->path);
	default: return xstrdup(dso->path);
	}
}

/* Without a build-id, a [vdso] of another machine has no symbols: the one of this kernel has other functions. */
static struct symbol_table *table_of(const struct script_places *places, const struct dso *dso)
{
	if (dso->kind == DSO_VDSO && dso->build_id.size == 0 && !places->sources.is_this_machine)
		return NULL;
	return dso_symbols_table(places->sources.symbolizer, dso);
}

static const struct known_dso *known_dso(struct script_places *places, const struct dso *dso)
{
	struct known_dso *known;

	if (dso->number >= places->count) {
		size_t count = dso->number + 1;

		places->dsos = array_grow(places->dsos, &places->capacity, count, sizeof(places->dsos[0]));
		for (; places->count < count; places->count++)
			places->dsos[places->count] = (struct known_dso){ .name = NULL };
	}
	known = &places->dsos[dso->number];
	if (!known->name)
		*known = (struct known_dso){ shown_name(places, dso), table_of(places, dso) };
	return known;
}

static void find_symbol(struct script_places *places, struct script_place *place,
			const struct mapping *mapping)
{
	const struct known_dso *known = known_dso(places, place->dso);

	place->dso_name = known->name;
	if (place->dso->kind == DSO_KSYMBOL) {
		place->symbol = (struct symbol){ .name = place->dso->path,
						 .start = mapping->start,
						 .end = mapping->end };
		place->has_symbol = true;
		return;
	}
	place->table = known->table;
	place->has_symbol =
		known->table && symbol_table_find(known->table, place->address, &place->symbol) == 1;
}

/*
 * Does perf take the mapping for a file? It also does so for memfd and named anonymous memory, "[vsyscall]" and "anon_inode:…".
 */
static bool is_file_to_perf(const struct dso *dso)
{
	switch (dso->kind) {
	case DSO_FILE:
	case DSO_VDSO:
	case DSO_JITDUMP:
	case DSO_SYMFILE:
	case DSO_UNKNOWN: return true;
	case DSO_ANON: return strncmp(dso->path, "/memfd:", 7) == 0 || strncmp(dso->path, "[anon:", 6) == 0;
	default: return false;
	}
}

static struct script_place nowhere(uint64_t address)
{
	return (struct script_place){ .address = address, .shown = address, .offset = address };
}

/* Finds kernel code past the end of the kernel's mapping, which perf extends when it has read the symbols. */
static bool find_in_kernel_proper(struct script_places *places, struct script_place *place)
{
	struct mapping mapping;

	if (process_table_kernel(places->sources.processes, &mapping) != 1)
		return false;
	place->dso = mapping.dso;
	place->offset = place->address - mapping.start;
	find_symbol(places, place, &mapping);
	if (!place->has_symbol)
		*place = nowhere(place->address);
	return place->has_symbol;
}

static void fill(struct script_places *places, struct script_place *place, const struct mapping *mapping)
{
	const uint64_t address = place->address;

	place->dso = mapping->dso;
	place->address = mapping_to_dso_address(mapping, address);
	place->offset = address - mapping->start;
	if (is_file_to_perf(mapping->dso))
		place->shown = place->offset += mapping->file_offset;
	find_symbol(places, place, mapping);
}

static bool find_in(struct script_places *places, struct script_place *place, uint32_t pid, uint64_t time_ns,
		    enum address_space space, uint64_t address)
{
	struct mapping mapping;

	*place = nowhere(address);
	if (process_table_find(places->sources.processes, pid, time_ns, space, address, &mapping) != 1)
		return space == ADDRESS_KERNEL && find_in_kernel_proper(places, place);
	fill(places, place, &mapping);
	return true;
}

void script_places_find(struct script_places *places, struct script_place *place, uint32_t pid,
			uint64_t time_ns, uint16_t cpumode, uint64_t address)
{
	*place = nowhere(address);
	if (cpumode == PERF_RECORD_MISC_KERNEL)
		(void)find_in(places, place, pid, time_ns, ADDRESS_KERNEL, address);
	else if (cpumode == PERF_RECORD_MISC_USER)
		(void)find_in(places, place, pid, time_ns, ADDRESS_USER, address);
}

bool script_places_find_elided(struct script_places *places, struct script_place *place, uint64_t address)
{
	const size_t count = elided_frames_count(address);

	if (!count)
		return false;
	*place = nowhere(address);
	place->has_symbol = true;
	place->symbol = (struct symbol){ .name = elided_frames_name(places->elided, count),
					 .start = address,
					 .end = address + 1 };
	return true;
}

void script_places_find_left(struct script_places *places, struct script_place *place, uint32_t pid,
			     uint64_t time_ns, uint64_t address)
{
	struct mapping mapping;

	*place = nowhere(address);
	if (process_table_find_left(places->sources.processes, pid, time_ns, address, &mapping) == 1)
		fill(places, place, &mapping);
}

void script_places_find_anywhere(struct script_places *places, struct script_place *place, uint32_t pid,
				 uint64_t time_ns, uint16_t cpumode, uint64_t address)
{
	const enum address_space first = cpumode == PERF_RECORD_MISC_KERNEL ? ADDRESS_KERNEL : ADDRESS_USER;

	if (!find_in(places, place, pid, time_ns, first, address))
		(void)find_in(places, place, pid, time_ns,
			      first == ADDRESS_KERNEL ? ADDRESS_USER : ADDRESS_KERNEL, address);
}

void script_place_add_symbol(struct strbuf *out, const struct script_place *place, bool with_offset)
{
	if (!place->has_symbol) {
		strbuf_adds(out, "[unknown]");
		return;
	}
	safe_text_add(out, place->symbol.name);
	if (with_offset && place->dso) {
		strbuf_adds(out, "+0x");
		strbuf_add_hex(out, place->address - place->symbol.start, 0);
	}
}

void script_place_add_dso(struct strbuf *out, const struct script_place *place)
{
	strbuf_addc(out, '(');
	safe_text_add(out, place->dso_name ? place->dso_name : "[unknown]");
	strbuf_addc(out, ')');
}

void script_place_add_json(struct json_writer *json, uint64_t address, const struct script_place *place)
{
	json_begin_object(json, NULL);
	json_hexadecimal(json, "ip", address);
	if (place->has_symbol) {
		json_string(json, "symbol", place->symbol.name);
		if (place->dso)
			json_string(json, "dso", place->dso->name);
	}
	json_end_object(json);
}
