/*
 * Tracing data of arbitrary bytes, and a sample of arbitrary bytes for a tracepoint described there. The first byte tells
 * where the sample begins. The library may crash, which only ends its own process.
 */

#include <stddef.h>
#include <stdint.h>

#include "format/tracepoint/tracepoint_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t raw_size = size ? data[0] : 0;
	struct tracepoint_formats *formats;
	struct strbuf text;
	struct error err;

	if (size < raw_size + 1)
		return 0;
	formats = tracepoint_formats_create(byte_reader_over(data + 1, size - raw_size - 1, false), NULL,
					    NULL, &err);
	if (!formats)
		return 0;
	strbuf_init(&text);
	for (uint64_t id = 0; id < 48; id++)
		tracepoint_formats_ask(formats, id, 0, data + size - raw_size, raw_size);
	for (uint64_t id = 0; id < 48; id++)
		(void)tracepoint_formats_answer(formats, &text, &err);
	strbuf_fini(&text);
	tracepoint_formats_destroy(formats);
	return 0;
}
