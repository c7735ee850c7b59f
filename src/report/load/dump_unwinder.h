#ifndef XPROF_REPORT_LOAD_DUMP_UNWINDER_H
#define XPROF_REPORT_LOAD_DUMP_UNWINDER_H

/*
 * The user part of a sample's stack, unwound from its registers and its stack dump with the call frame
 * information of the files that its process had mapped.
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

/* The struct is copied, everything that it points to is borrowed. */
struct dump_unwinder_source {
	struct process_table *processes;
	struct dso_modules *modules;
	const struct jit_dumps *dumps; /* may be NULL */
	/* They name the recorded machine. Looked at with the first dump, as a pipe has them later than its beginning. */
	const struct perf_features *features;
	struct unwind_options options;
	/*
	 * NULL: there is only one thread. Otherwise all unwinders hold it while they look into the process table, which is
	 * shared (process_table_share()), and for JIT code; the thread that changes these holds it, too.
	 */
	pthread_mutex_t *lock;
};

/* Returns NULL with err if this program was built without the engine of the options. */
struct dump_unwinder *dump_unwinder_create(const struct dump_unwinder_source *source, struct error *err);

/* Another unwinder with the same source, for another thread. */
struct dump_unwinder *dump_unwinder_create_another(const struct dump_unwinder *unwinder);
void dump_unwinder_destroy(struct dump_unwinder *unwinder);

/*
 * Does the sample have user registers but an empty dump? Then the kernel could not read the stack: its page
 * was not present (the first of a thread, or one being copied after fork), or exec had removed it.
 */
bool dump_unwinder_dump_failed(const struct sample *sample);

/*
 * Is the recorded chain of frame pointers complete, because all functions in it had set up their frame
 * pointers at these addresses? Otherwise callers may be missing, most often the caller of the leaf.
 */
bool dump_unwinder_chain_is_exact(struct dump_unwinder *unwinder, const struct sample *sample,
				  const struct process_state *state, uint64_t time_ns);

/*
 * Unwinds a dump. `state` is process_table_state() of the sample. With `frame_pointers_only` it follows the
 * chain of frame pointers through the dump, as the kernel would have done; only xprof's own engine can.
 * Returns NULL if the sample has no dump, or one that cannot be unwound (a 32-bit program of aarch64, another
 * machine). Valid until the next call.
 */
const struct unwind_stack *dump_unwinder_walk(struct dump_unwinder *unwinder, const struct sample *sample,
					      const struct process_state *state, uint64_t time_ns,
					      bool frame_pointers_only);

/*
 * Prefetch hints for callers with several samples at hand: the registers of the sample after the next one,
 * then the words of the next sample's dump where the frames of its thread's last stack were. Without them,
 * unwinding would wait for memory at each frame.
 */
void dump_unwinder_prefetch_registers(const struct sample *sample);
void dump_unwinder_prefetch_stack(const struct dump_unwinder *unwinder, const struct sample *sample);

/*
 * Chooses between the unwound dump and the recorded chain, which has `chain_frames` frames of user space.
 * `unwound` is the result of dump_unwinder_walk() of any unwinder, with count 0 for its NULL; or NULL if the
 * dump has not been unwound yet. A stack whose dump was too short or empty is continued: by the recorded
 * chain if that is exact (unwind/stack_splice.h, UNWIND_AUTO only), otherwise, if wanted, by another stack of
 * the thread (unwind/stack_joiner.h). Returns NULL if the recorded chain is the choice, and in the cases of
 * dump_unwinder_walk().
 */
const struct unwind_stack *dump_unwinder_choose(struct dump_unwinder *unwinder, const struct sample *sample,
						const struct process_state *state, uint64_t time_ns,
						enum unwind_choice choice, size_t chain_frames,
						const struct unwind_stack *unwound);

/*
 * Is this address in a function that has no caller by its unwind information, or in the program's entry
 * point? Asked for the outermost frame of a recorded chain, which was not unwound.
 */
bool dump_unwinder_is_root(struct dump_unwinder *unwinder, uint32_t pid, const struct process_state *state,
			   uint64_t time_ns, uint64_t address, bool is_return_address);

/*
 * Is the address of frame `number` a return address, so that the call lies before it? False for an
 * interrupted frame, and for a signal trampoline: it was not called, the handler "returns" to its beginning.
 */
bool dump_unwinder_frame_returns(const struct unwind_stack *stack, size_t number);

#endif
