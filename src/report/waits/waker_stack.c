/*
 * add_chain() walks the waker's recorded chain, leaf first, and makes each frame the child of the previous one. Names are found
 * later, with those of all other stacks.
 */
#include "report/waits/waker_stack.h"

#include "format/callchain.h"
#include "format/elided_frames.h"
#include "report/waits/wait_text.h"

/* A stack that is being built. */
struct growing {
	struct process_table *processes;
	struct raw_profile *profile;
	const struct off_cpu_wait *wait;
	const struct off_cpu_waking *waker;
	uint64_t woken_ns; /* time at which the waker's mappings are looked up */
	uint32_t node;
};

static void add_label(struct growing *growing, const char *text)
{
	growing->node = raw_profile_stack(growing->profile, growing->node,
					  raw_profile_label(growing->profile, text), FRAME_WAKER);
}

/* A user address is where the waker entered the kernel, perhaps before an exec(). */
static bool find_mapping(const struct growing *growing, enum frame_mode mode, uint64_t address,
			 struct mapping *mapping)
{
	const uint32_t pid = growing->waker->pid;

	if (mode == FRAME_USER && elided_frames_count(address))
		return false;
	return (mode == FRAME_USER ? process_table_find_left(growing->processes, pid, growing->woken_ns,
							     address, mapping) :
				     process_table_find(growing->processes, pid, growing->woken_ns,
							ADDRESS_KERNEL, address, mapping)) == 1;
}

static void add_frame(struct growing *growing, enum frame_mode mode, enum frame_origin origin,
		      uint64_t address)
{
	uint32_t dso = PROFILE_NONE;
	struct mapping mapping;

	if (find_mapping(growing, mode, address, &mapping)) {
		dso = mapping.dso->number;
		address = mapping_to_dso_address(&mapping, address);
	}
	growing->node = raw_profile_stack(growing->profile, growing->node,
					  raw_profile_location(growing->profile, dso, address, mode), origin);
}

/*
 * The first user frame is where the waker entered the kernel; the others, and those after a second marker, are return addresses.
 */
static void add_chain(struct growing *growing)
{
	enum frame_mode mode = FRAME_KERNEL;
	bool has_user_frames = false;

	for (size_t i = 0; i < growing->waker->chain_count; i++) {
		const uint64_t word = off_cpu_wait_chain_word(growing->wait, growing->waker, i);

		if (callchain_is_marker(word)) {
			mode = word == (uint64_t)PERF_CONTEXT_USER ? FRAME_USER : FRAME_KERNEL;
			continue;
		}
		add_frame(growing, mode,
			  has_user_frames && !elided_frames_count(word) ? FRAME_WAKER_CALLER : FRAME_WAKER,
			  word);
		has_user_frames |= mode == FRAME_USER;
	}
	if (growing->waker->is_cut)
		add_label(growing, WAKER_STACK_CUT);
}

static void add_name(struct growing *growing)
{
	struct strbuf name = STRBUF_INIT;

	wait_text_add_waker(&name, growing->waker);
	add_label(growing, name.bytes);
	strbuf_fini(&name);
}

static void add_waker(struct growing *growing, const struct off_cpu_waking *waker)
{
	growing->waker = waker;
	add_label(growing, WAKER_STACK_SEPARATOR);
	if (waker->kind == OFF_CPU_WAKER_THREAD)
		add_chain(growing);
	add_name(growing);
}

uint32_t waker_stack_add(struct process_table *processes, struct raw_profile *profile, uint32_t sleeper,
			 const struct off_cpu_wait *wait, uint64_t time_ns)
{
	const uint64_t woken_ns = wait->begin_ns + wait->blocked_ns;
	struct growing growing = { .processes = processes,
				   .profile = profile,
				   .wait = wait,
				   .woken_ns = woken_ns < time_ns ? woken_ns : time_ns,
				   .node = sleeper };

	if (wait->wakers[0].kind == OFF_CPU_WAKER_NONE)
		return sleeper;
	for (size_t i = 0; i <= wait->further_count; i++) {
		if (i)
			growing.woken_ns = wait->wakers[i].woken_ns;
		add_waker(&growing, &wait->wakers[i]);
	}
	return growing.node;
}
