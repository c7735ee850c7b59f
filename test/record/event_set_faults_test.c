#include "record/event_set.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/event/event_parser.h"
#include "record/machine/attr_feature.h"
#include "support/cmocka.h"

/*
 * A kernel that refuses a call that the test chooses. Its descriptors are those of real events that count nothing, so that the
 * real kernel does the rest. Rings are ordinary memory.
 */
static struct {
	int sideband_errno, sampler_errno, map_errno; /* 0 if accepted */
	size_t map_limit_bytes;                       /* larger rings fail with map_errno */
	size_t opens, maps;
	bool knows_deferred_chains;
	size_t deferring, delivering; /* number of such events that were opened */
} kernel;

static bool is_sideband(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
}

/* Plays Linux 6.19 on a kernel that may be older: removes the newer bits before the real kernel sees the attr. */
static struct perf_event_attr take_deferred_chains(const struct perf_event_attr *asked)
{
	struct perf_event_attr attr = *asked;

	if (!kernel.knows_deferred_chains || !attr_feature_is_asked(asked, ATTR_FEATURE_DEFER_CALLCHAIN))
		return attr;
	if (is_sideband(asked))
		kernel.delivering++;
	else
		kernel.deferring++;
	attr_feature_drop(&attr, ATTR_FEATURE_DEFER_CALLCHAIN);
	return attr;
}

static int play_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd,
		     unsigned long flags)
{
	struct perf_event_attr own;
	const int refusal = is_sideband(attr) ? kernel.sideband_errno : kernel.sampler_errno;

	kernel.opens++;
	if (refusal) {
		errno = refusal;
		return -1;
	}
	if (!kernel.knows_deferred_chains && attr_feature_is_asked(attr, ATTR_FEATURE_DEFER_CALLCHAIN)) {
		errno = EINVAL;
		return -1;
	}
	own = take_deferred_chains(attr);
	return perf_calls_system.open(&own, pid, cpu, group_fd, flags);
}

static void *play_map(size_t bytes, int protection, int fd)
{
	kernel.maps++;
	if (kernel.map_errno && bytes > kernel.map_limit_bytes) {
		errno = kernel.map_errno;
		return MAP_FAILED;
	}
	return perf_calls_system.map(bytes, protection, fd);
}

static const struct perf_calls played = { .open = play_open, .map = play_map };

struct attempt {
	struct event_set *set; /* NULL if refused */
	struct error err;
	struct strbuf notices;
	struct event_specs specs;
	struct target target;
};

static void try_events_with(struct attempt *attempt, const char *events, size_t ring_pages,
			    struct call_graph call_graph)
{
	const struct event_set_options options = { .sampling = { .frequency = 99, .call_graph = call_graph },
						   .ring_pages = ring_pages,
						   .calls = &played };

	*attempt = (struct attempt){ .set = NULL };
	strbuf_init(&attempt->notices);
	assert_int_equal(event_specs_parse(&attempt->specs, events, &event_sources_system, NULL), 0);
	assert_int_equal(target_resolve(&attempt->target, &(struct target_request){ 0 }, &target_roots_system,
					NULL),
			 0);
	target_add_thread(&attempt->target, getpid(), getpid());
	kernel.opens = kernel.maps = 0;
	attempt->set =
		event_set_open(&attempt->specs, &attempt->target, &options, &attempt->notices, &attempt->err);
}

static void try_events(struct attempt *attempt, const char *events, size_t ring_pages)
{
	try_events_with(attempt, events, ring_pages, (struct call_graph){ .mode = CALL_GRAPH_NONE });
}

static void end_attempt(struct attempt *attempt)
{
	event_set_close(attempt->set);
	event_specs_fini(&attempt->specs);
	target_fini(&attempt->target);
	strbuf_fini(&attempt->notices);
}

static bool may_record; /* the kernel lets this user open events */

static int set_up(void **state)
{
	struct attempt attempt;

	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	try_events(&attempt, "cpu-clock:u", 1);
	may_record = attempt.set != NULL;
	end_attempt(&attempt);
	return 0;
}

static size_t open_descriptors(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Every errno of perf_event_open(2), and others that its callees return. */
static void each_errno_of_perf_event_open_has_its_sentence(void **state)
{
	static const struct {
		int open_errno;
		const char *sentence;
	} cases[] = {
		{ EPERM, "cannot open page-faults:u: " },
		{ EACCES, "cannot open page-faults:u: " },
		{ E2BIG, "this kernel is too old for one of its terms or options" },
		{ EBADF, "cannot open page-faults:u: Bad file descriptor" },
		{ EBUSY, "another profiler (or the NMI watchdog) holds the counter" },
		{ EFAULT, "cannot open page-faults:u: Bad address" },
		{ EINVAL, "the kernel refuses this combination of event, modifiers and options" },
		{ EMFILE, "the limit on open files is reached" },
		{ ENFILE, "the limit on open files is reached" },
		{ ENODEV, "the CPU is offline or the PMU is not on it" },
		{ ENOENT, "this machine has no such event" },
		{ ENOMEM, "the kernel has no memory for another" },
		{ ENOSPC, "all counters or breakpoint registers of the CPU are in use" },
		{ ENOSYS, "this kernel has no perf events (CONFIG_PERF_EVENTS)" },
		{ ENXIO, "this machine has no such event" },
		{ EOPNOTSUPP, "this machine has no such event" },
		{ EOVERFLOW, "frames are more than the kernel follows" },
		{ ESRCH, "no such process: it has ended" },
		{ EAGAIN, "cannot open page-faults:u: Resource temporarily unavailable" },
	};
	const size_t descriptors = open_descriptors();

	(void)state;
	if (!may_record)
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct attempt attempt;

		kernel.sampler_errno = cases[i].open_errno;
		try_events(&attempt, "page-faults:u", 1);
		assert_null(attempt.set);
		if (!strstr(attempt.err.message, cases[i].sentence))
			fail_msg("%s: %s", strerror(cases[i].open_errno), attempt.err.message);
		end_attempt(&attempt);
		assert_int_equal(open_descriptors(), descriptors);
	}
}

static void a_refused_sideband_event_is_explained_by_the_event_it_is_for(void **state)
{
	static const int refusals[] = { EPERM, EACCES, ENOSYS, EMFILE, ENOMEM, EINVAL };

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct attempt attempt;

		kernel.sideband_errno = refusals[i];
		try_events(&attempt, "page-faults:u", 1);
		assert_null(attempt.set);
		assert_non_null(strstr(attempt.err.message, "cannot open page-faults:u"));
		assert_int_equal(kernel.maps, 0);
		end_attempt(&attempt);
	}
}

static void without_a_counter_cycles_become_the_clock(void **state)
{
	struct attempt attempt;

	(void)state;
	if (!may_record)
		skip();
	kernel.sampler_errno = ENOENT;
	try_events(&attempt, "instructions:u", 1);
	assert_null(attempt.set);
	end_attempt(&attempt);
	/* This kernel refuses cpu-clock, too; the notice shows that it was tried. */
	try_events(&attempt, "cycles:u", 1);
	assert_null(attempt.set);
	assert_non_null(strstr(attempt.notices.bytes, "recording cpu-clock:u instead"));
	end_attempt(&attempt);
}

static void each_errno_of_mapping_a_ring_has_its_sentence(void **state)
{
	static const struct {
		int map_errno;
		const char *sentence;
	} cases[] = {
		{ EPERM, "KiB per CPU: the memory that this user may lock is used up" },
		{ ENOMEM, "KiB per CPU: the machine, or the cgroup that xprof runs in, has no memory left" },
		{ EACCES, "a security module (SELinux) forbids reading perf events" },
		{ EINVAL, "cannot map a ring of" },
		{ ENODEV, "cannot map a ring of" },
		{ EAGAIN, "cannot map a ring of" },
	};
	const size_t descriptors = open_descriptors();

	(void)state;
	if (!may_record)
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct attempt attempt;

		kernel.map_errno = cases[i].map_errno;
		try_events(&attempt, "page-faults:u", 8);
		assert_null(attempt.set);
		if (!strstr(attempt.err.message, cases[i].sentence))
			fail_msg("%s: %s", strerror(cases[i].map_errno), attempt.err.message);
		assert_int_equal(attempt.err.errno_value, cases[i].map_errno);
		end_attempt(&attempt);
		assert_int_equal(open_descriptors(), descriptors);
	}
}

static void rings_shrink_until_they_fit(void **state)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct attempt attempt;

	(void)state;
	if (!may_record)
		skip();
	kernel.map_errno = ENOMEM;
	kernel.map_limit_bytes = 5 * page_bytes; /* one page of control, 4 of data */
	try_events(&attempt, "page-faults:u", 64);
	assert_non_null(attempt.set);
	assert_int_equal(event_set_ring_bytes(attempt.set), 4 * page_bytes);
	assert_non_null(strstr(attempt.notices.bytes, "KiB per CPU instead of"));
	end_attempt(&attempt);
}

static const struct call_graph deferred = { .mode = CALL_GRAPH_FP, .defer = true };

static void call_chains_are_deferred_where_the_kernel_can(void **state)
{
	struct attempt attempt;

	(void)state;
	if (!may_record)
		skip();
	kernel.knows_deferred_chains = true;
	try_events_with(&attempt, "cpu-clock:u,page-faults:u", 1, deferred);
	assert_non_null(attempt.set);
	assert_int_equal(kernel.deferring, 2 * attempt.target.cpu_count);
	assert_int_equal(kernel.delivering, attempt.target.cpu_count);
	assert_true(
		attr_feature_is_asked(event_set_samplers(attempt.set)[0].attr, ATTR_FEATURE_DEFER_CALLCHAIN));
	assert_int_equal(attempt.notices.size, 0);
	end_attempt(&attempt);
}

static void an_older_kernel_defers_no_call_chain(void **state)
{
	struct attempt attempt;

	(void)state;
	if (!may_record)
		skip();
	try_events_with(&attempt, "cpu-clock:u,page-faults:u", 1, deferred);
	assert_non_null(attempt.set);
	assert_false(
		attr_feature_is_asked(event_set_samplers(attempt.set)[0].attr, ATTR_FEATURE_DEFER_CALLCHAIN));
	assert_string_equal(
		attempt.notices.bytes,
		"this kernel cannot defer call chains (Linux 6.19): user stacks are taken with each "
		"sample\n");
	end_attempt(&attempt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_errno_of_perf_event_open_has_its_sentence, set_up),
		cmocka_unit_test_setup(a_refused_sideband_event_is_explained_by_the_event_it_is_for, set_up),
		cmocka_unit_test_setup(without_a_counter_cycles_become_the_clock, set_up),
		cmocka_unit_test_setup(each_errno_of_mapping_a_ring_has_its_sentence, set_up),
		cmocka_unit_test_setup(rings_shrink_until_they_fit, set_up),
		cmocka_unit_test_setup(call_chains_are_deferred_where_the_kernel_can, set_up),
		cmocka_unit_test_setup(an_older_kernel_defers_no_call_chain, set_up),
	};

	return cmocka_run_group_tests_name("record/event_set_faults", tests, NULL, NULL);
}
