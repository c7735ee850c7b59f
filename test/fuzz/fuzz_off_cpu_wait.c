/* Raw data of arbitrary bytes, in either byte order: every word of the waker's chain, and the texts of all keys. */

#include <stddef.h>
#include <stdint.h>

#include "report/waits/wait_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct off_cpu_wait *wait)
{
	volatile uint64_t sum = 0;
	struct strbuf text;

	for (size_t i = 0; i < wait->waker_chain_count; i++)
		sum += off_cpu_wait_chain_word(wait, i);
	strbuf_init(&text);
	for (int key = SAMPLE_KEY_STATE; key <= SAMPLE_KEY_WAIT_TIME; key++)
		wait_text_add(&text, (enum sample_key)key, wait);
	off_cpu_wait_encode(wait, &text);
	strbuf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int swap = 0; swap < 2; swap++) {
		struct off_cpu_wait wait;
		struct error err;

		if (off_cpu_wait_decode(&wait, data, size, swap, &err) == 0)
			use(&wait);
	}
	return 0;
}
