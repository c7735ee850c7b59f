/* The texts of states, kinds of waits and wakers; wait_text_add() has a case for each key. */
#include "report/waits/wait_text.h"

#include "report/waits/wait_class.h"
#include "text/safe_text.h"

void wait_text_add_waker(struct strbuf *out, const struct off_cpu_waking *waker)
{
	if (waker->kind == OFF_CPU_WAKER_THREAD && waker->comm[0])
		safe_text_add(out, waker->comm);
	else
		strbuf_addf(out, "[%s]", off_cpu_waker_name(waker->kind));
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
	case SAMPLE_KEY_WAKER: wait_text_add_waker(out, &wait->wakers[0]); break;
	default: wait_class_add_text(out, wait_class_of(wait_class_duration_ns(wait))); break;
	}
}
