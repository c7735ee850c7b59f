#ifndef XPROF_REPORT_SCRIPT_SCRIPT_PLACE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_PLACE_H

/*
 * Finds the DSO, the address in it, and the function of an address of a sample, and writes these three as
 * perf script does.
 */

#include <stdint.h>

#include "base/strbuf.h"
#include "format/perf_features.h"
#include "process/process_table.h"
#include "symbol/symbolizer.h"
#include "text/json_writer.h"

struct script_places;

struct script_place {
	const struct dso *dso; /* NULL: nothing was mapped there */
	uint64_t address;      /* in the DSO's map space; the address itself where dso is NULL */
	/*
	 * The address that perf prints: the address in the file; in the kernel and where nothing is mapped the
	 * address itself.
	 */
	uint64_t shown;
	/* for brstackoff: in the file; in the kernel and its modules from the start of the mapping */
	uint64_t offset;
	const char *dso_name;       /* as perf script prints it; NULL where dso is */
	struct symbol_table *table; /* has the source lines of the address; NULL: unknown */
	bool has_symbol;
	struct symbol symbol;
};

/* The data to look up places in; everything is borrowed. */
struct script_sources {
	struct process_table *processes;
	struct symbolizer *symbolizer;
	const struct perf_features *features;
	bool is_this_machine; /* recorded on this machine, whose [vdso] is therefore the recorded one */
};

struct script_places *script_places_create(const struct script_sources *sources);
void script_places_destroy(struct script_places *places);

/* Finds the place of an address. cpumode: PERF_RECORD_MISC_CPUMODE of the address. */
void script_places_find(struct script_places *places, struct script_place *place, uint32_t pid,
			uint64_t time_ns, uint16_t cpumode, uint64_t address);

/*
 * Is it the marker of elided frames (format/elided_frames.h) instead of an address? Then the place is named
 * by their number.
 */
bool script_places_find_elided(struct script_places *places, struct script_place *place, uint64_t address);

/*
 * The same for a user address below frames of the kernel: an exec in progress may have replaced its mapping.
 */
void script_places_find_left(struct script_places *places, struct script_place *place, uint32_t pid,
			     uint64_t time_ns, uint64_t address);

/* The same for an address that may be of user space or the kernel: branches do not tell. */
void script_places_find_anywhere(struct script_places *places, struct script_place *place, uint32_t pid,
				 uint64_t time_ns, uint16_t cpumode, uint64_t address);

/* Appends "main+0x1f", "main", or "[unknown]". */
void script_place_add_symbol(struct strbuf *out, const struct script_place *place, bool with_offset);

/* Appends "(/usr/bin/true)", "([kernel.kallsyms])", or "([unknown])". */
void script_place_add_dso(struct strbuf *out, const struct script_place *place);

/* Adds it as an element of a call chain in JSON. */
void script_place_add_json(struct json_writer *json, uint64_t address, const struct script_place *place);

#endif
