/* The table of idle pools, each with the reason why a thread that waits there has nothing to do. */
#include "report/waits/idle_pools.h"

#include <assert.h>

#define GO "Go's scheduler"
#define JAVA "Java's pools"
#define HOTSPOT "the JVM"
#define TOKIO "Tokio"

const struct idle_pool idle_pools[] = {
	{ GO, "runtime.findRunnable", NULL, NULL,
	  "no goroutine is ready: the thread stops, or waits for the network on behalf of all" },
	{ GO, "runtime.findrunnable", NULL, NULL, "the same, up to Go 1.18" },
	{ GO, "runtime.stopm", NULL, NULL,
	  "a thread without a goroutine waits to be needed, from wherever the scheduler stops it" },
	{ GO, "runtime.sysmon", NULL, NULL, "the monitor naps between two looks at the scheduler" },
	{ GO, "runtime.templateThread", NULL, NULL,
	  "waits until a thread has to be started from a clean state" },
	{ GO, "os/signal.signal_recv", NULL, NULL,
	  "waits for signals, of which most programs never get one" },

	{ JAVA, "*java*util*concurrent*ThreadPoolExecutor*getTask*", "*Unsafe*ark*", NULL,
	  "a worker of an executor takes the next task of an empty queue" },
	{ JAVA, "*java*util*concurrent*ForkJoinPool*awaitWork*", "*Unsafe*ark*", NULL,
	  "a worker of a fork-join pool found nothing to steal" },
	{ JAVA, "*java*util*concurrent*ForkJoinPool*runWorker*", "*Unsafe*ark*",
	  "*ForkJoinPool*WorkQueue*topLevelExec*", "the same, where awaitWork was inlined" },
	{ JAVA, "*java*lang*ref*ReferenceQueue*remove*", "JVM_MonitorWait*", NULL,
	  "finalizers and cleaners wait for a reference to be queued" },

	{ HOTSPOT, "WorkerTaskDispatcher::worker_run_task*", "*Semaphore::wait*", "*Task::work*",
	  "a worker of the garbage collector waits for a collection" },
	{ HOTSPOT, "GangWorker::loop*", "*Semaphore::wait*", "*Task::work*", "the same, up to JDK 17" },
	{ HOTSPOT, "VMThread::wait_for_operation*", NULL, NULL, "no operation of the VM is asked for" },
	{ HOTSPOT, "WatcherThread::sleep*", NULL, NULL, "naps between periodic tasks" },
	{ HOTSPOT, "CompileQueue::get*", NULL, NULL, "nothing is to be compiled" },
	{ HOTSPOT, "NMethodSweeper::sweeper_loop*", "Monitor::wait*", "NMethodSweeper::sweep_*",
	  "no compiled code is to be swept" },
	{ HOTSPOT, "G1ConcurrentRefineThread::run_service*", "*::wait*", "G1DirtyCardQueueSet::*",
	  "no card is to be refined" },
	{ HOTSPOT, "G1ConcurrentMarkThread::run_service*", "Monitor::wait*", "G1ConcurrentMark::*",
	  "no marking is due" },
	{ HOTSPOT, "G1ServiceThread::run_service*", "Monitor::wait*", "*Task::execute*",
	  "no task of the collector is due" },
	{ HOTSPOT, "wait_init_completed*", NULL, NULL,
	  "the collector's threads wait until the VM has started" },
	{ HOTSPOT, "ServiceThread::service_thread_entry*", "Monitor::wait*", NULL,
	  "no event is to be delivered" },
	{ HOTSPOT, "MonitorDeflationThread::monitor_deflation_thread_entry*", NULL, NULL,
	  "naps until monitors have to be deflated" },
	{ HOTSPOT, "NotificationThread::notification_thread_entry*", "Monitor::wait*", NULL,
	  "no notification is to be sent" },
	{ HOTSPOT, "JVM_WaitForReferencePendingList*", NULL, NULL, "the collector has found no reference" },
	{ HOTSPOT, "signal_thread_entry*", NULL, NULL, "waits for signals to the JVM" },

	{ TOKIO, "tokio::runtime::scheduler::*::Context::park*", NULL, NULL,
	  "a worker has no task that is ready; the one that holds the driver waits for events on behalf of all" },
	{ TOKIO, "tokio::runtime::thread_pool::worker::Context::park*", NULL, NULL,
	  "the same, up to Tokio 1.25" },
	{ TOKIO, "tokio::runtime::blocking::pool::Inner::run*", "*Condvar::wait*",
	  "tokio::runtime::*task*::*",
	  "a thread for blocking calls waits for the next one, or to be given up" },
};

const size_t idle_pool_count = sizeof(idle_pools) / sizeof(*idle_pools);

static_assert(sizeof(idle_pools) / sizeof(*idle_pools) <= MAX_IDLE_POOLS, "a bit each");
