#ifndef XPROF_REPORT_LOAD_DUMP_UNWINDER_H
#define XPROF_REPORT_LOAD_DUMP_UNWINDER_H

/*
 * The user part of a sample's stack, unwound from its registers and its stack
 * dump with the call frame information of what its process had mapped.
 */

#include <pthread.h>

#include "format/perf_features.h"
#include "format/sample.h"
#include "process/process_table.h"
#include "report/load/jit_dumps.h"
#include "report/load/unwind_choice.h"
#include "unwind/process/dso_modules.h"
#include "unwind/unwinder.h"

struct dump_unwinder;

/* Copied with its options, but everything that it points to is borrowed. */
struct dump_unwinder_source {
	struct process_table *processes;
	struct dso_modules *modules;
	const struct jit_dumps *dumps; /* may be NULL */
	/* Say what machine was recorded; those of a pipe become known while it is read, so they are used with the first dump. */
	const struct perf_features *features;
	struct unwind_options options;
	/*
	 * NULL: one thread does it all. Else all unwinders hold it while they ask the process table, which is shared
	 * (process_table_share()), and for JIT code, and so does the thread that changes these.
	 */
	pthread_mutex_t *lock;
};

/* NULL with err set for an engine that this program was built without. */
struct dump_unwinder *dump_unwinder_create(const struct dump_unwinder_source *source, struct error *err);

/* With the same source, for another thread. */
struct dump_unwinder *dump_unwinder_create_another(const struct dump_unwinder *unwinder);
void dump_unwinder_destroy(struct dump_unwinder *unwinder);

/*
 * The registers are those of user space, but the kernel could not copy a byte of the stack: the page that it is in was
 * not there (a thread's first, one that was being copied after fork), or exec had taken it away.
 */
bool dump_unwinder_dump_failed(const struct sample *sample);

/*
 * Is every caller in the recorded chain of frame pointers certain, since all the code that it passes has its frame pointer
 * where the chain was followed? Otherwise callers may be missing, that of the leaf most of all.
 */
bool dump_unwinder_chain_is_exact(struct dump_unwinder *unwinder, const struct sample *sample,
				  const struct process_state *state, uint64_t time_ns);

/*
 * NULL when the sample has no dump, or none that can be unwound (a 32-bit program of aarch64, another machine). `state` is what
 * process_table_state() says of the sample. The result is valid until the next call. `frame_pointers_only`: the chain
 * of frame pointers through the dump, as the kernel would have walked it; our own engine alone can.
 */
const struct unwind_stack *dump_unwinder_walk(struct dump_unwinder *unwinder, const struct sample *sample,
					      const struct process_state *state, uint64_t time_ns,
					      bool frame_pointers_only);

/*
 * Prefetch hints for callers with several samples at hand. First the beginning of the sample after the next
 * one, then the words of the next sample's dump that its thread's last stack suggests. Unwinding follows
 * frames one after the other and would wait for each in turn.
 */
void dump_unwinder_prefetch_registers(const struct sample *sample);
void dump_unwinder_prefetch_stack(const struct dump_unwinder *unwinder, const struct sample *sample);

/*
 * `unwound` is what dump_unwinder_walk() of any unwinder has given for the sample, count 0 for NULL; or NULL:
 * it has not been asked yet. As above, but NULL, too, where the choice is the recorded chain, which has
 * `chain_frames` of user space. A stack whose dump was too short, or failed while there is a chain, is
 * continued: by the recorded chain where that is exact (unwind/stack_splice.h, UNWIND_AUTO alone), else, if
 * that is wanted, by another stack of the thread (unwind/stack_joiner.h).
 */
const struct unwind_stack *dump_unwinder_choose(struct dump_unwinder *unwinder, const struct sample *sample,
						const struct process_state *state, uint64_t time_ns,
						enum unwind_choice choice, size_t chain_frames,
						const struct unwind_stack *unwound);

/*
 * Is there unwind information that says that the function at this address has no caller, or is it the
 * program's entry point? For the outermost frame of a recorded chain, which was not unwound.
 */
bool dump_unwinder_is_root(struct dump_unwinder *unwinder, uint32_t pid, const struct process_state *state,
			   uint64_t time_ns, uint64_t address, bool is_return_address);

/*
 * Does frame `number` return to its address, so that its call is what lies before? False for an interrupted
 * frame, and for a signal trampoline, which was not called: the handler "returns" to its beginning.
 */
bool dump_unwinder_frame_returns(const struct unwind_stack *stack, size_t number);

#endif
