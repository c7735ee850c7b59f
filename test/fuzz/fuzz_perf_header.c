/* Decodes any bytes as a header, and as an attr. */

#include "format/perf_attr.h"
#include "format/perf_header.h"
#include "support/event_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void decode_attr(const uint8_t *bytes, size_t size, bool swap)
{
	struct byte_reader r = byte_reader_over(bytes, size, swap);
	struct perf_attr attr;
	struct error err;
	char name[64];

	if (perf_attr_decode(&attr, &r, &err) != 0)
		return;
	for (size_t room = 0; room <= sizeof(name); room += 16)
		perf_attr_name(&attr, name, room);
	event_walk_bytes(name, strlen(name));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct perf_header header;
	struct error err;

	if (perf_header_decode(&header, bytes, size, &err) == 0)
		(void)perf_header_feature_count(&header);
	decode_attr(bytes, size, false);
	decode_attr(bytes, size, true);
	return 0;
}
