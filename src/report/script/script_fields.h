#ifndef XPROF_REPORT_SCRIPT_SCRIPT_FIELDS_H
#define XPROF_REPORT_SCRIPT_SCRIPT_FIELDS_H

/*
 * Chooses the fields of samples to print: a set for each type of event, as in perf script. The defaults are
 * perf's; -F replaces or changes them (perf-script(1), --fields).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "format/perf_attr.h"

enum script_field {
	SCRIPT_COMM,
	SCRIPT_TID,
	SCRIPT_PID,
	SCRIPT_TIME,
	SCRIPT_CPU,
	SCRIPT_EVENT,
	SCRIPT_TRACE,
	SCRIPT_IP,
	SCRIPT_SYM,
	SCRIPT_DSO,
	SCRIPT_ADDR,
	SCRIPT_SYMOFF,
	SCRIPT_SRCLINE,
	SCRIPT_PERIOD,
	SCRIPT_IREGS,
	SCRIPT_UREGS,
	SCRIPT_BRSTACK,
	SCRIPT_BRSTACKSYM,
	SCRIPT_BRSTACKOFF,
	SCRIPT_DATA_SRC,
	SCRIPT_WEIGHT,
	SCRIPT_BPF_OUTPUT,
	SCRIPT_PHYS_ADDR,
	SCRIPT_MISC,
	SCRIPT_TOD,
	SCRIPT_DATA_PAGE_SIZE,
	SCRIPT_CODE_PAGE_SIZE,
	SCRIPT_INS_LAT,
	SCRIPT_INSN,
	SCRIPT_INSNLEN,
	SCRIPT_BRSTACKINSN,
	SCRIPT_BRSTACKINSNLEN,
	SCRIPT_BRCNTR,
	/* Only for decoded traces and guests, which do not occur here: perf prints nothing for other samples. */
	SCRIPT_IPC,
	SCRIPT_SYNTH,
	SCRIPT_CALLINDENT,
	SCRIPT_MACHINE_PID,
	SCRIPT_VCPU,
	SCRIPT_FIELD_COUNT,
};

/* Types of events with a set of fields each: attr.type, and two of perf's own. */
enum script_type {
	SCRIPT_TYPE_HARDWARE,
	SCRIPT_TYPE_SOFTWARE,
	SCRIPT_TYPE_TRACEPOINT,
	SCRIPT_TYPE_HW_CACHE,
	SCRIPT_TYPE_RAW,
	SCRIPT_TYPE_BREAKPOINT,
	SCRIPT_TYPE_SYNTH, /* made by decoding traces */
	SCRIPT_TYPE_OTHER, /* an event of another PMU */
	SCRIPT_TYPE_COUNT,
};

struct script_type_fields {
	uint64_t fields;     /* bit n: enum script_field n */
	uint64_t asked_for;  /* named by the user */
	uint64_t taken_away; /* removed by the user */
	bool set_by_user;
	bool by_wildcard; /* -F without a type: the file need not have this type */
};

struct script_fields {
	struct script_type_fields types[SCRIPT_TYPE_COUNT];
	bool flags; /* field "flags", for all types at once; does not change defaults */
};

extern const struct script_fields script_default_fields;
extern const char *const script_field_names[]; /* for completion; NULL-terminated */

static inline enum script_type script_type_of(const struct perf_attr *attr)
{
	const uint32_t synth =
		INT32_MAX + 1u; /* PERF_TYPE_SYNTH, tools/perf/util/event.h: not below PERF_TYPE_MAX */

	if (attr->type < SCRIPT_TYPE_SYNTH)
		return (enum script_type)attr->type;
	return attr->type == synth ? SCRIPT_TYPE_SYNTH : SCRIPT_TYPE_OTHER;
}

static inline bool script_has(const struct script_fields *fields, const struct perf_attr *attr,
			      enum script_field field)
{
	return fields->types[script_type_of(attr)].fields >> field & 1;
}

/* Applies one -F: [TYPE:][+-]FIELD,... Returns 0, or -1 with err for wrong usage. */
int script_fields_parse(struct script_fields *fields, const char *text, struct error *err);

/*
 * Removes fields that an event of the file does not sample. Returns 0, or -1 with err if the user named one
 * of them. Except in a pipe, perf checks only the first event of each type.
 */
int script_fields_check(struct script_fields *fields, const struct perf_attr *attr, const char *event_name,
			bool traces_may_have_it, struct error *err);

/*
 * Instructions between branches are known only if all kinds of branches were recorded, and their counts only if branch
 * counters were. Returns 0, or -1 with err if they were not. `branch_filter` combines branch_sample_type of all events of the
 * file.
 */
int script_fields_check_branches(const struct script_fields *fields, const struct perf_attr *attr,
				 uint64_t branch_filter, struct error *err);

/*
 * Adds address fields to tracepoints if one of them has callchains. `in_pipe`: without offset and DSO, as in
 * perf.
 */
void script_fields_add_callchain(struct script_fields *fields, const struct perf_attr *attr, bool in_pipe);

#endif
