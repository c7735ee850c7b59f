#ifndef XPROF_REPORT_SCRIPT_SCRIPT_FIELDS_H
#define XPROF_REPORT_SCRIPT_SCRIPT_FIELDS_H

/*
 * Chooses the fields of a sample to print: a set for each type of event, as in perf script. The defaults are
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
	/* Of decoded traces and of guests, which no sample here is: perf prints nothing for others. */
	SCRIPT_IPC,
	SCRIPT_SYNTH,
	SCRIPT_CALLINDENT,
	SCRIPT_MACHINE_PID,
	SCRIPT_VCPU,
	SCRIPT_FIELD_COUNT,
};

/* By what sets of fields are told apart: attr.type, with two of perf's own. */
enum script_type {
	SCRIPT_TYPE_HARDWARE,
	SCRIPT_TYPE_SOFTWARE,
	SCRIPT_TYPE_TRACEPOINT,
	SCRIPT_TYPE_HW_CACHE,
	SCRIPT_TYPE_RAW,
	SCRIPT_TYPE_BREAKPOINT,
	SCRIPT_TYPE_SYNTH, /* made by decoding traces */
	SCRIPT_TYPE_OTHER, /* a PMU's */
	SCRIPT_TYPE_COUNT,
};

struct script_type_fields {
	uint64_t fields;     /* bit n: enum script_field n */
	uint64_t asked_for;  /* that the user named */
	uint64_t taken_away; /* that the user took away */
	bool set_by_user;
	bool by_wildcard; /* without a type: it need not exist in the file */
};

struct script_fields {
	struct script_type_fields types[SCRIPT_TYPE_COUNT];
	bool flags; /* "flags", which is one for all types in perf, and does not change defaults */
};

extern const struct script_fields script_default_fields;
extern const char *const script_field_names[]; /* for completion; NULL-terminated */

enum script_type script_type_of(const struct perf_attr *attr);

static inline bool script_has(const struct script_fields *fields, const struct perf_attr *attr,
			      enum script_field field)
{
	return fields->types[script_type_of(attr)].fields >> field & 1;
}

/* One -F: [TYPE:][+-]FIELD,... -1 when it is wrong usage. */
int script_fields_parse(struct script_fields *fields, const char *text, struct error *err);

/*
 * An event of the file: takes out what it does not sample. -1 when a field that the user named is among it.
 * perf asks the first event of each type only, except in a pipe.
 */
int script_fields_check(struct script_fields *fields, const struct perf_attr *attr, const char *event_name,
			bool traces_may_have_it, struct error *err);

/*
 * Instructions between branches are known only if all branches were sampled: -1 else. `branch_filter` is what any of the
 * file's events has as its branch_sample_type.
 */
int script_fields_check_branches(const struct script_fields *fields, const struct perf_attr *attr,
				 uint64_t branch_filter, struct error *err);

/* Tracepoints are printed with addresses once one has callchains. `in_pipe`: without offset and DSO, as perf does there. */
void script_fields_add_callchain(struct script_fields *fields, const struct perf_attr *attr, bool in_pipe);

#endif
