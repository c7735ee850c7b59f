#ifndef XPROF_RECORD_ATTR_FEATURE_H
#define XPROF_RECORD_ATTR_FEATURE_H

/*
 * The features of struct perf_event_attr that older kernels refuse with EINVAL. The recorder leaves them out
 * of an event one by one; 'record --probe' tests each of them.
 */

#include <linux/perf_event.h>
#include <stdbool.h>

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

/* Does the attr ask for the feature? Ask for it. Stop asking for it. */
bool attr_feature_is_asked(const struct perf_event_attr *attr, enum attr_feature feature);
void attr_feature_ask(struct perf_event_attr *attr, enum attr_feature feature);
void attr_feature_drop(struct perf_event_attr *attr, enum attr_feature feature);

/*
 * Drops the newest feature of the attr that a recording can do without. Returns its name, or NULL if none is
 * left.
 */
const char *attr_feature_strip(struct perf_event_attr *attr);

/*
 * Does the kernel accept the feature? Opens an event in this process that counts nothing. Returns 0 if it
 * does, or the errno of perf_event_open(): EINVAL if the kernel does not know the feature, EACCES if this
 * user may not use it.
 */
int attr_feature_try(enum attr_feature feature, const struct perf_calls *calls);

#endif
