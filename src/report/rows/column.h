#ifndef XPROF_REPORT_ROWS_COLUMN_H
#define XPROF_REPORT_ROWS_COLUMN_H

/*
 * The columns of a report, under perf's names. Some are sums; the others are
 * keys: rows differ in them. --sort and --fields make a layout of them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

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
	COLUMN_COUNT,
};

enum { MAX_KEYS = COLUMN_COUNT - COLUMN_FIRST_KEY };

static inline bool column_is_key(enum column column)
{
	return column >= COLUMN_FIRST_KEY;
}

const char *column_name(enum column column);

/* The heading over it; `children`: whether overhead stands beside a Children column. */
const char *column_heading(enum column column, bool children);

/* What --sort accepts, for shells and messages; NULL-terminated. */
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
	bool symbol_first;          /* the sort order begins with the symbol, and no fields were asked for */
};

struct layout_request {
	const char *sort;     /* --sort; NULL: comm,dso,symbol. A leading + adds to that */
	const char *fields;   /* --fields; NULL: as --sort implies. A leading + adds to that */
	bool parent;          /* --parent: the column is added in any case */
	bool children;        /* shares with callees are to be shown */
	bool cpu_utilization; /* --showcpuutilization */
	bool samples;         /* -n */
	bool period;          /* --show-total-period */
};

/* -1: a name that is no column's. */
int layout_make(struct layout *layout, const struct layout_request *request, struct error *err);

#endif
