#include "base/thread_pair.h"

#include "base/thread_aside.h"

void thread_pair_run(thread_pair_work *work, void *one, void *other)
{
	struct thread_aside aside = { 0 };

	thread_aside_start(&aside, work, other);
	work(one);
	thread_aside_wait(&aside);
}
