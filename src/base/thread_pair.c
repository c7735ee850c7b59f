#include "base/thread_pair.h"

#include <pthread.h>

#include "base/usable_cpus.h"

struct other_part {
	thread_pair_work *work;
	void *part;
};

static void *run(void *context)
{
	const struct other_part *other = context;

	other->work(other->part);
	return NULL;
}

void thread_pair_run(thread_pair_work *work, void *one, void *other)
{
	struct other_part others = { work, other };
	pthread_t thread;

	if (usable_cpus() < 2 || pthread_create(&thread, NULL, run, &others) != 0) {
		work(one);
		work(other);
		return;
	}
	work(one);
	pthread_join(thread, NULL);
}
