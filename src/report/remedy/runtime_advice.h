#ifndef XPROF_REPORT_REMEDY_RUNTIME_ADVICE_H
#define XPROF_REPORT_REMEDY_RUNTIME_ADVICE_H

/*
 * How to make a runtime write down the functions that it compiles or interprets, with the options of its
 * version.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct runtime_rule;

/* A recorded runtime, with the version in the name or path of its file. */
struct runtime_use {
	const struct runtime_rule *rule; /* NULL: not a known runtime */
	unsigned int major, minor;       /* 0: not known */
};

/* Identifies a runtime by the path of a mapped file, or by the name of a program. */
struct runtime_use runtime_use_of_file(const char *path);

/*
 * Appends how to get names for the run-time code of process `pid`. If the runtime is unknown, it lists the
 * usual ones.
 */
void runtime_advice_add(struct strbuf *out, const struct runtime_use *use, uint32_t pid);

/*
 * How to get complete stacks through code of the runtime with this file or program name. NULL if no way is
 * known, or none is needed.
 */
const char *runtime_stack_advice(const char *path);

/*
 * Does the runtime interpret its programs? Their functions are then in no sample although no name is missing;
 * the same advice makes them visible.
 */
bool runtime_interprets(const struct runtime_use *use);

#endif
