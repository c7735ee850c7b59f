#ifndef XPROF_RECORD_ATTR_FEATURE_H
#define XPROF_RECORD_ATTR_FEATURE_H

/*
 * The features of struct perf_event_attr that older kernels refuse with EINVAL. It is one table: the recorder finds in it what to
 * leave out of an event, and 'record --probe' what to ask the kernel about.
 */

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/machine/perf_calls.h"

enum attr_feature { /* the newest first */
		    ATTR_FEATURE_DEFER_CALLCHAIN,
		    ATTR_FEATURE_LOST,
		    ATTR_FEATURE_BUILD_ID,
		    ATTR_FEATURE_CGROUP,
		    ATTR_FEATURE_BPF_EVENT,
		    ATTR_FEATURE_KSYMBOL,
		    ATTR_FEATURE_NAMESPACES,
		    ATTR_FEATURE_CONTEXT_SWITCH,
		    ATTR_FEATURE_CLOCKID,
		    ATTR_FEATURE_COMM_EXEC,
		    ATTR_FEATURE_MMAP2,
		    ATTR_FEATURE_COUNT,
};

/* "5.12": the first Linux that has it. */
const char *attr_feature_since(enum attr_feature feature);

bool attr_feature_is_asked(const struct perf_event_attr *attr, enum attr_feature feature);
void attr_feature_ask(struct perf_event_attr *attr, enum attr_feature feature);
void attr_feature_drop(struct perf_event_attr *attr, enum attr_feature feature);

/* Drops the newest feature that is asked for and that a recording can do without. Its name, or NULL when none is left. */
const char *attr_feature_strip(struct perf_event_attr *attr);

/*
 * Does the kernel accept it? Tried with an event of this process that counts nothing. The errno of perf_event_open(): 0 yes, EINVAL it
 * does not know it, EACCES this user may not have it.
 */
int attr_feature_try(enum attr_feature feature, const struct perf_calls *calls);

#endif
