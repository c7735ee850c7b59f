#ifndef XPROF_REPORT_ROWS_COLUMN_H
#define XPROF_REPORT_ROWS_COLUMN_H

/*
 * The columns of a report, under perf's names. Some are sums; the others are
 * keys: rows differ in them. --sort and --fields make a layout of them.
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
	COLUMN_KEY_SET, /* never shown: what makes rows where columns of sample keys are asked for */
	COLUMN_FIRST_SAMPLE_KEY,
	COLUMN_COUNT = COLUMN_FIRST_SAMPLE_KEY + SAMPLE_KEY_COUNT,
};

enum { MAX_KEYS = COLUMN_FIRST_SAMPLE_KEY - COLUMN_FIRST_KEY };

static inline bool column_is_key(enum column column)
{
	return column >= COLUMN_FIRST_KEY;
}

/* Is it what samples say for a key of profile/sample_keys.h? */
static inline bool column_is_sample_key(enum column column)
{
	return column >= COLUMN_FIRST_SAMPLE_KEY;
}

static inline enum sample_key column_sample_key(enum column column)
{
	return (enum sample_key)(column - COLUMN_FIRST_SAMPLE_KEY);
}

/* A field of tracepoints, whose name the recording has. */
static inline bool column_is_field(enum column column)
{
	return column >= COLUMN_FIRST_SAMPLE_KEY + SAMPLE_KEY_FIELD;
}

/* Texts of numbers, in the order of the numbers; `most_first`: the largest comes first. */
bool column_is_number(enum column column, bool *most_first);

const char *column_name(enum column column);

/* The heading over it; `children`: whether overhead stands beside a Children column. */
const char *column_heading(enum column column, bool children);

/* Words that --sort accepts, for shells and messages; NULL-terminated. */
extern const char *const column_names[];

struct column_list {
	enum column items[COLUMN_COUNT];
	size_t count;
};

struct layout {
	struct column_list keys;    /* what makes a row */
	struct column_list sorts;   /* rows are ordered by these, first one first */
	struct column_list outputs; /* what is printed, from left to right */
	bool named_self;            /* overhead is headed "Self": it stands beside Children by default */
	struct sample_key_request samples; /* what the columns need of samples; its options are the caller's */
	uint8_t levels[COLUMN_COUNT];      /* of a hierarchy, by key: those of one level stand side by side */
	uint32_t field_count;              /* of tracepoints, that are columns */
	bool symbol_first; /* the sort order begins with the symbol, and no fields were asked for */
};

/* Of a name that is neither a column nor, as far as is known, a field. */
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
	bool branches;        /* -b: what replaces comm,dso,symbol is about branches */
	bool cpu_utilization; /* --showcpuutilization */
	bool samples;         /* -n */
	bool period;          /* --show-total-period */
};

/* -1: a name that is no column's. */
int layout_make(struct layout *layout, const struct layout_request *request, struct error *err);

/* Does a column show what only branches have? */
bool layout_is_of_branches(const struct layout *layout);

#endif
