#ifndef XPROF_TEST_SUPPORT_OWN_CALLERS_H
#define XPROF_TEST_SUPPORT_OWN_CALLERS_H

#include <execinfo.h>
#include <string.h>

/* backtrace() of the calling function, which is callers[0]. The sanitizers' backtrace() also returns itself. */
static inline __attribute__((always_inline)) int own_callers(void **callers, int room)
{
	int count = backtrace(callers, room);

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	if (count > 0) {
		count--;
		memmove(callers, callers + 1, (size_t)count * sizeof(*callers));
	}
#endif
	return count;
}

#endif
