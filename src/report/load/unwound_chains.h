#ifndef XPROF_REPORT_LOAD_UNWOUND_CHAINS_H
#define XPROF_REPORT_LOAD_UNWOUND_CHAINS_H

/*
 * The call chain of a sample as a kernel that can unwind would have written it: the recorded part of the kernel, then the
 * frames that the stack dump gives, as return addresses. For readers that have no unwinder.
 *
 * Records come in order of time: what the machine did by unwound_chains_apply(), samples by unwound_chains_make().
 */

#include "format/perf_file.h"
#include "format/sample.h"
#include "symbol/symbol_archive.h"

struct unwound_chains;

/* The file's archive, NULL: none. Both are borrowed. */
struct unwound_chains *unwound_chains_create(const struct perf_file *file,
					     const struct symbol_archive *archive);
void unwound_chains_destroy(struct unwound_chains *chains);

/* A record of the kernel that is no sample. */
void unwound_chains_apply(struct unwound_chains *chains, const struct event *event, uint64_t time_ns);

/* Words with PERF_CONTEXT_* markers, in this machine's byte order, leaf first. Valid until the next call. */
struct unwound_chain {
	const uint64_t *words;
	size_t count;
	bool is_unwound; /* else it is what was recorded */
};
struct unwound_chain unwound_chains_make(struct unwound_chains *chains, const struct sample *sample,
					 uint64_t time_ns);

#endif
