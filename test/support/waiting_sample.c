#include "support/waiting_sample.h"

struct sample waiting_sample_make(const struct off_cpu_wait *wait, struct strbuf *raw)
{
	strbuf_reset(raw);
	off_cpu_wait_encode(wait, raw);
	return (struct sample){ .raw = (const uint8_t *)raw->bytes,
				.raw_size = (uint32_t)raw->size,
				.swap = wait->swap };
}
