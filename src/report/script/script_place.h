#ifndef XPROF_REPORT_SCRIPT_SCRIPT_PLACE_H
#define XPROF_REPORT_SCRIPT_SCRIPT_PLACE_H

/*
 * An address of a sample -> what was there: DSO, address in it, function. And
 * how perf script writes those three.
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
	 * what perf prints of a frame: an address in the file, but of the kernel and where nothing is mapped the
	 * address itself
	 */
	uint64_t shown;
	uint64_t offset; /* of brstackoff: in the file, but of the kernel and its modules from where they were mapped */
	const char *dso_name;       /* as perf script prints it; NULL where dso is */
	struct symbol_table *table; /* that has the source of the address; NULL: none has */
	bool has_symbol;
	struct symbol symbol;
};

/* Its sources; all of them outlive the places. */
struct script_sources {
	struct process_table *processes;
	struct symbolizer *symbolizer;
	const struct perf_features *features;
	bool is_this_machine; /* recorded here, so that this process has the [vdso] of the recorded ones */
};

struct script_places *script_places_create(const struct script_sources *sources);
void script_places_destroy(struct script_places *places);

/* cpumode: PERF_RECORD_MISC_CPUMODE of the address. */
void script_places_find(struct script_places *places, struct script_place *place, uint32_t pid,
			uint64_t time_ns, uint16_t cpumode, uint64_t address);

/* False for an address; else the place is called by the number of frames that it stands for (format/elided_frames.h). */
bool script_places_find_elided(struct script_places *places, struct script_place *place, uint64_t address);

/* A user address below frames of the kernel: an exec under way may have replaced what was mapped there. */
void script_places_find_left(struct script_places *places, struct script_place *place, uint32_t pid,
			     uint64_t time_ns, uint64_t address);

/* As above, but in whichever space the address lies: branches do not say. */
void script_places_find_anywhere(struct script_places *places, struct script_place *place, uint32_t pid,
				 uint64_t time_ns, uint16_t cpumode, uint64_t address);

/* "main+0x1f", "main", "[unknown]". */
void script_place_add_symbol(struct strbuf *out, const struct script_place *place, bool with_offset);

/* "(/usr/bin/true)", "([kernel.kallsyms])", "([unknown])". */
void script_place_add_dso(struct strbuf *out, const struct script_place *place);

/* As a member of a call chain in JSON. */
void script_place_add_json(struct json_writer *json, uint64_t address, const struct script_place *place);

#endif
