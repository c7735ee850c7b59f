#ifndef XPROF_REPORT_REMEDY_RUNTIME_ADVICE_H
#define XPROF_REPORT_REMEDY_RUNTIME_ADVICE_H

/* How a runtime is told to write down what it compiles, or what it interprets: in the words of the very version. */

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct runtime_rule;

/* A runtime that was recorded, in the version that the name or path of its file tells. */
struct runtime_use {
	const struct runtime_rule *rule; /* NULL: none is known */
	unsigned int major, minor;       /* 0: not known */
};

/* By the path of a file that its processes have mapped, or by the name of a program. */
struct runtime_use runtime_use_of_file(const char *path);

/*
 * Appends how code that process `pid` has made at run time gets names. Where the runtime is not known, what may be meant.
 */
void runtime_advice_add(struct strbuf *out, const struct runtime_use *use, uint32_t pid);

/*
 * How stacks through code that the runtime of this file, or program of this name, has made become whole. NULL where no way
 * is known, or none is needed.
 */
const char *runtime_stack_advice(const char *path);

/*
 * Does the runtime interpret its programs, so that their functions are in no sample and nothing seems to be missing? Then
 * the same advice brings them.
 */
bool runtime_interprets(const struct runtime_use *use);

#endif
