/* The texts of states, kinds of waits and wakers; wait_text_add() has a case for each key. */
#include "report/waits/wait_text.h"

#include "report/waits/wait_class.h"
#include "text/safe_text.h"

static void add_waker(struct strbuf *out, const struct off_cpu_wait *wait)
{
	if (wait->waker_kind == OFF_CPU_WAKER_THREAD && wait->waker_comm[0])
		safe_text_add(out, wait->waker_comm);
	else
		strbuf_addf(out, "[%s]", off_cpu_waker_name(wait->waker_kind));
}

void wait_text_add(struct strbuf *out, enum sample_key key, const struct off_cpu_wait *wait)
{
	if (!wait) {
		strbuf_adds(out, key == SAMPLE_KEY_STATE ? "running" : "-");
		return;
	}
	switch (key) {
	case SAMPLE_KEY_STATE: strbuf_adds(out, off_cpu_state_name(wait->state)); break;
	case SAMPLE_KEY_WAIT: strbuf_adds(out, off_cpu_kind_name(wait->kind)); break;
	case SAMPLE_KEY_WAKER: add_waker(out, wait); break;
	default: wait_class_add_text(out, wait_class_of(wait_class_duration_ns(wait))); break;
	}
}
