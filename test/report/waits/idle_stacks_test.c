#include "report/waits/idle_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "report/waits/idle_pools.h"
#include "support/cmocka.h"
#include "support/profile_builder.h"

#define SLEEP ";[k]`schedule"

static bool *find(const struct profile *profile)
{
	struct strbuf text;
	bool *idle;

	strbuf_init(&text);
	idle = idle_stacks_find(profile, &text);
	strbuf_fini(&text);
	return idle;
}

static bool is_idle(const char *stack)
{
	struct profile *p = profile_create();
	const uint32_t leaf = builder_add(p, builder_event(p, "offcpu-time"), "app 1/1", stack, 1, 100);
	bool *idle, result;

	idle = find(p);
	assert_non_null(idle);
	result = idle[leaf];
	free(idle);
	profile_destroy(p);
	return result;
}

static void the_threads_of_pools_are_idle_where_they_look_for_work(void **state)
{
	static const char *const stacks[] = {
		"go`runtime.mcall;go`runtime.park_m;go`runtime.schedule;go`runtime.findRunnable;go`runtime.stopm;go`runtime.futexsleep" SLEEP,
		"go`runtime.mstart;go`runtime.schedule;go`runtime.findRunnable;go`runtime.netpoll;go`runtime.epollwait" SLEEP,
		"go`runtime.mstart1;go`runtime.sysmon;go`runtime.usleep" SLEEP,
		"jit`Ljava/lang/Thread::run;jit`Ljava/util/concurrent/ThreadPoolExecutor::getTask;libjvm.so`Unsafe_Park" SLEEP,
		"jit`java.lang.Runnable java.util.concurrent.ThreadPoolExecutor.getTask();jit`void jdk.internal.misc.Unsafe.park(boolean, long);libjvm.so`Parker::park" SLEEP,
		"libjvm.so`WorkerThread::run();libjvm.so`WorkerTaskDispatcher::worker_run_task();libjvm.so`PosixSemaphore::wait()" SLEEP,
		"libjvm.so`Thread::call_run;libjvm.so`GangWorker::run;libjvm.so`GangWorker::loop;libjvm.so`PosixSemaphore::wait" SLEEP,
		"libjvm.so`ConcurrentGCThread::run;libjvm.so`G1ConcurrentMarkThread::run_service;libjvm.so`Monitor::wait_without_safepoint_check" SLEEP,
		"libjvm.so`VMThread::run;libjvm.so`VMThread::wait_for_operation;libjvm.so`Monitor::wait_without_safepoint_check" SLEEP,
		"libjvm.so`CompileBroker::compiler_thread_loop();libjvm.so`CompileQueue::get(CompilerThread*);libjvm.so`Monitor::wait(unsigned long)" SLEEP,
		"web`tokio::runtime::scheduler::multi_thread::worker::run;web`tokio::runtime::scheduler::multi_thread::worker::Context::park_timeout::h1;web`parking_lot::condvar::Condvar::wait" SLEEP,
		"web`tokio::runtime::blocking::pool::Inner::run;web`std::sync::poison::condvar::Condvar::wait_timeout" SLEEP,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
		if (!is_idle(stacks[i]))
			fail_msg("%s", stacks[i]);
}

static void threads_that_wait_in_their_work_are_not(void **state)
{
	static const char *const stacks[] = {
		"go`runtime.goexit;go`main.main;go`syscall.Read;go`internal/runtime/syscall.Syscall6" SLEEP,
		"go`runtime.mcall;go`runtime.park_m;go`runtime.schedule;go`runtime.execute" SLEEP,
		"jit`java.util.concurrent.ThreadPoolExecutor.runWorker();jit`app.Query.run();libjvm.so`Unsafe_Park" SLEEP,
		"libjvm.so`WorkerTaskDispatcher::worker_run_task();libjvm.so`G1EvacuateRegionsBaseTask::work(unsigned int);libjvm.so`PosixSemaphore::wait()" SLEEP,
		"web`tokio::runtime::blocking::pool::Inner::run;web`tokio::runtime::task::raw::poll;web`std::sync::condvar::Condvar::wait" SLEEP,
		"libjvm.so`G1ConcurrentMarkThread::run_service;libjvm.so`G1ConcurrentMark::mark_from_roots;libjvm.so`Monitor::wait" SLEEP,
		"jit`java.util.concurrent.ThreadPoolExecutor.getTask();libjvm.so`LinkResolver::resolve_invoke;libjvm.so`ObjectMonitor::wait" SLEEP,
		"gtk`main;libglib-2.0.so.0`g_main_loop_run;libc.so.6`poll" SLEEP,
		"web`main;libc.so.6`epoll_wait" SLEEP,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
		if (is_idle(stacks[i]))
			fail_msg("%s", stacks[i]);
}

static void work_that_has_an_idle_pool_of_its_own_is_idle_there(void **state)
{
	(void)state;
	assert_true(is_idle(
		"libjvm.so`WorkerTaskDispatcher::worker_run_task();libjvm.so`X_Task::work(unsigned int);"
		"go`runtime.findRunnable" SLEEP));
}

static void samples_of_other_events_are_not_looked_at(void **state)
{
	struct profile *p = profile_create();
	const uint32_t spinning =
		builder_add(p, builder_event(p, "cpu-clock"), "app 1/1", "go`runtime.findRunnable", 1, 100);
	bool *idle;

	(void)state;
	assert_null(find(p));
	builder_add(p, builder_event(p, "offcpu-time"), "app 1/1", "go`runtime.findRunnable" SLEEP, 1, 100);
	idle = find(p);
	assert_false(idle[spinning]);
	free(idle);
	profile_destroy(p);
}

/* It waits for a lock, and was woken by a thread that goes on to look for work. */
static void a_waker_does_not_make_the_sleeper_idle(void **state)
{
	struct profile *p = profile_create();
	const uint32_t event = builder_event(p, "offcpu-time"),
		       sleeper = builder_add(p, event, "app 1/1", "app`main;app`lock" SLEEP, 1, 100),
		       idler = builder_add(p, event, "app 1/1", "go`runtime.findRunnable", 1, 100),
		       waker = profile_stack(p, sleeper, profile_stack_at(p, idler)->location, FRAME_WAKER);
	bool *idle;

	(void)state;
	profile_add(p,
		    &(struct profile_sample){
			    .event = event, .cpu = PROFILE_NONE, .stack = waker, .count = 1, .weight = 100 });
	idle = find(p);
	assert_false(idle[waker]);
	assert_true(idle[idler]);
	free(idle);
	profile_destroy(p);
}

static void shares_are_said_by_pool(void **state)
{
	struct profile *p = profile_create();
	const uint32_t event = builder_event(p, "offcpu-time");
	struct strbuf text;

	(void)state;
	builder_add(p, event, "app 1/1", "app`main" SLEEP, 1, 500);
	builder_add(p, event, "app 1/2", "go`runtime.findRunnable" SLEEP, 1, 200);
	builder_add(p, event, "app 1/3", "go`runtime.sysmon" SLEEP, 1, 200);
	builder_add(p, event, "app 1/4",
		    "jit`java.util.concurrent.ThreadPoolExecutor.getTask();libjvm.so`Unsafe_Park" SLEEP, 1,
		    100);
	strbuf_init(&text);
	free(idle_stacks_find(p, &text));
	assert_string_equal(
		text.bytes,
		"50.0% of the time off the CPU is left out: idle threads of Go's scheduler (40.0%), Java's pools (10.0%)");
	profile_destroy(p);
	p = profile_create();
	builder_add(p, builder_event(p, "offcpu-time"), "app 1/1", "app`main" SLEEP, 1, 500);
	strbuf_reset(&text);
	free(idle_stacks_find(p, &text));
	assert_string_equal(text.bytes, "0.0% of the time off the CPU is left out");
	strbuf_fini(&text);
	profile_destroy(p);
}

static void every_pool_has_a_name_a_function_and_a_reason(void **state)
{
	(void)state;
	assert_in_range(idle_pool_count, 1, MAX_IDLE_POOLS);
	for (size_t i = 0; i < idle_pool_count; i++) {
		assert_true(strlen(idle_pools[i].pool) > 0);
		assert_true(strlen(idle_pools[i].in) > 4);
		assert_true(strlen(idle_pools[i].why) > 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_threads_of_pools_are_idle_where_they_look_for_work),
		cmocka_unit_test(threads_that_wait_in_their_work_are_not),
		cmocka_unit_test(work_that_has_an_idle_pool_of_its_own_is_idle_there),
		cmocka_unit_test(samples_of_other_events_are_not_looked_at),
		cmocka_unit_test(a_waker_does_not_make_the_sleeper_idle),
		cmocka_unit_test(shares_are_said_by_pool),
		cmocka_unit_test(every_pool_has_a_name_a_function_and_a_reason),
	};

	return cmocka_run_group_tests_name("report/waits/idle_stacks", tests, NULL, NULL);
}
