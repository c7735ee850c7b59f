#ifndef XPROF_REPORT_VIEW_TRUST_REMARKS_H
#define XPROF_REPORT_VIEW_TRUST_REMARKS_H

/*
 * Remarks on what is missing from a recording's numbers: one for each kind of loss, with its remedy. The
 * first line of a remark can be read alone; the lines below count the causes.
 */

#include "base/strbuf.h"
#include "report/load/loaded_profile.h"

/* Kinds of remarks; flags. */
enum trust_remark_kind {
	REMARK_DAMAGE = 1 << 0,  /* the file is cut off, unfinished or damaged */
	REMARK_LOSS = 1 << 1,    /* samples, or other records, were lost */
	REMARK_STACKS = 1 << 2,  /* callers are missing */
	REMARK_NAMES = 1 << 3,   /* functions have no names */
	REMARK_RATE = 1 << 4,    /* the kernel stopped sampling for a while */
	REMARK_WAITING = 1 << 5, /* recorded threads mostly waited, which samples of CPU time do not show */
	REMARK_JIT = 1 << 6,     /* names of JIT code may be those of other code */
	REMARK_INTERPRETED = 1 << 7, /* functions run by an interpreter are in no stack */
	REMARK_TRACES = 1 << 8,      /* hardware traces are not decoded */
	REMARK_ALL = (1 << 9) - 1,
};

enum { TRUST_REMARKS_MAX = 9 };

struct trust_remark {
	double harm;        /* percentage of the samples, or a comparable number */
	struct strbuf text; /* lines that begin with "# " and end with a newline; empty: nothing to remark */
};

struct trust_remarks {
	struct trust_remark items[TRUST_REMARKS_MAX]; /* worst first, without empty ones */
	size_t count;
};

/*
 * `kinds` is a set of enum trust_remark_kind. `brief`: only first lines will be shown, so these name the
 * remedies.
 */
void trust_remarks_make(struct trust_remarks *remarks, const struct loaded_profile *loaded,
			unsigned int kinds, bool brief);
void trust_remarks_fini(struct trust_remarks *remarks);

/* Appends a number as "12,912". */
void trust_count_add(struct strbuf *out, uint64_t count);

#endif
