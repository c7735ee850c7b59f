#ifndef XPROF_REPORT_ROWS_COLUMN_H
#define XPROF_REPORT_ROWS_COLUMN_H

/*
 * The columns of a report, under perf's names. Some are sums, the others are keys: samples with equal keys
 * form a row. --sort and --fields make a layout of columns.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "profile/sample_keys.h"

enum column {
	COLUMN_CHILDREN, /* overhead_children */
	COLUMN_OVERHEAD,
	COLUMN_OVERHEAD_SYS,
	COLUMN_OVERHEAD_US,
	COLUMN_SAMPLE,
	COLUMN_PERIOD,
	COLUMN_FIRST_KEY,
	COLUMN_PID = COLUMN_FIRST_KEY, /* perf: a thread, printed as "tid:comm" */
	COLUMN_COMM,
	COLUMN_DSO,
	COLUMN_SYMBOL,
	COLUMN_CPU,
	COLUMN_TID,
	COLUMN_TGID,
	COLUMN_SRCLINE,
	COLUMN_SRCFILE,
	COLUMN_PARENT, /* see struct hist_options */
	COLUMN_CGROUP,
	COLUMN_KEY_SET, /* never shown: the set of sample keys, as the key of rows if there are such columns */
	COLUMN_FIRST_SAMPLE_KEY,
	COLUMN_COUNT = COLUMN_FIRST_SAMPLE_KEY + SAMPLE_KEY_COUNT,
};

enum { MAX_KEYS = COLUMN_FIRST_SAMPLE_KEY - COLUMN_FIRST_KEY };

static inline bool column_is_key(enum column column)
{
	return column >= COLUMN_FIRST_KEY;
}

/* Does the column show a key of profile/sample_keys.h? */
static inline bool column_is_sample_key(enum column column)
{
	return column >= COLUMN_FIRST_SAMPLE_KEY;
}

static inline enum sample_key column_sample_key(enum column column)
{
	return (enum sample_key)(column - COLUMN_FIRST_SAMPLE_KEY);
}

/* Does the column show a field of tracepoints, whose name comes from the recording? */
static inline bool column_is_field(enum column column)
{
	return column >= COLUMN_FIRST_SAMPLE_KEY + SAMPLE_KEY_FIELD;
}

/* Are the texts of the column numbers, to be ordered as such? *most_first: the largest comes first. */
bool column_is_number(enum column column, bool *most_first);

const char *column_name(enum column column);

/* The heading of the column. `children`: there is a Children column, too. */
const char *column_heading(enum column column, bool children);

/* Words that --sort accepts, for shells and messages; NULL-terminated. */
extern const char *const column_names[];

struct column_list {
	enum column items[COLUMN_COUNT];
	size_t count;
};

struct layout {
	struct column_list keys;    /* samples with equal keys form a row */
	struct column_list sorts;   /* rows are ordered by these, the first column first */
	struct column_list outputs; /* printed columns, from left to right */
	/* the heading of overhead is "Self", because Children was added by default */
	bool named_self;
	/* the sample keys that columns show; its options are set by the caller */
	struct sample_key_request samples;
	/* level of each key in a hierarchy; keys of one level are on one line */
	uint8_t levels[COLUMN_COUNT];
	uint32_t field_count; /* number of columns that are tracepoint fields */
	bool symbol_first;    /* --sort begins with symbol, and --fields was not given */
};

/* Message about a name that is neither a column nor a known field. */
#define LAYOUT_NO_COLUMN                                                                                         \
	"there is no '%.*s'; comm, pid, tid, tgid, dso, symbol, cpu, srcline, srcfile, parent, cgroup, socket, " \
	"comm_nodigit, time, trace, trace_fields, the fields of tracepoints, weight, ins_lat, mem, snoop, tlb, " \
	"locked, blocked, symbol_daddr, dso_daddr, phys_daddr, symbol_from, symbol_to, dso_from, dso_to, "       \
	"addr_from, addr_to, srcline_from, srcline_to, mispredict, in_tx, abort, cycles, "                       \
	"overhead, overhead_children, overhead_sys, "                                                            \
	"overhead_us, sample and period are there"

struct layout_request {
	const char *sort;     /* --sort; NULL: comm,dso,symbol. A leading + adds to that */
	const char *fields;   /* --fields; NULL: as --sort implies. A leading + adds to that */
	bool parent;          /* --parent: the column is added in any case */
	bool children;        /* shares with callees are to be shown */
	bool branches;        /* -b: the default columns are those of branches */
	bool cpu_utilization; /* --showcpuutilization */
	bool samples;         /* -n */
	bool period;          /* --show-total-period */
};

/* Returns 0, or -1 with err if a name is not a column's. */
int layout_make(struct layout *layout, const struct layout_request *request, struct error *err);

/* Does a column show something that only branches have? */
bool layout_is_of_branches(const struct layout *layout);

#endif
