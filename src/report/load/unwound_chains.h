#ifndef XPROF_REPORT_LOAD_UNWOUND_CHAINS_H
#define XPROF_REPORT_LOAD_UNWOUND_CHAINS_H

/*
 * Makes the call chain of a sample as a kernel with an unwinder would have written it: the recorded part of
 * the kernel, then the frames unwound from the stack dump, as return addresses. For readers without an
 * unwinder.
 *
 * Pass all records in order of time: samples to unwound_chains_make(), the others to unwound_chains_apply().
 */

#include "format/perf_file.h"
#include "format/sample.h"
#include "symbol/symbol_archive.h"

struct unwound_chains;

/* `archive` has the files of an archived recording; NULL: none. Both are borrowed. */
struct unwound_chains *unwound_chains_create(const struct perf_file *file,
					     const struct symbol_archive *archive);
void unwound_chains_destroy(struct unwound_chains *chains);

/* Applies a record of the kernel that is not a sample. */
void unwound_chains_apply(struct unwound_chains *chains, const struct event *event, uint64_t time_ns);

/* Words with PERF_CONTEXT_* markers, in this machine's byte order, leaf first. Valid until the next call. */
struct unwound_chain {
	const uint64_t *words;
	size_t count;
	bool is_unwound; /* false: it is the recorded chain */
};
struct unwound_chain unwound_chains_make(struct unwound_chains *chains, const struct sample *sample,
					 uint64_t time_ns);

#endif
