#ifndef XPROF_TEST_SUPPORT_RESOLVED_STACK_H
#define XPROF_TEST_SUPPORT_RESOLVED_STACK_H

/* Resolves the stack of one sample in all steps. */

#include "report/load/stack_resolver.h"

static inline struct stack_result resolved_stack(struct stack_resolver *resolver, const struct sample *sample,
						 uint32_t event, const struct perf_attr *attr,
						 uint64_t time_ns)
{
	const struct stack_question question = stack_resolver_ask(resolver, sample, event, time_ns);
	const struct stack_begun begun = stack_resolver_begin(resolver, sample, &question, attr, time_ns);

	stack_resolver_finish(resolver);
	return stack_resolver_result(resolver, &question, &begun);
}

#endif
