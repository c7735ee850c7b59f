/*
 * The section of a feature, of any bytes: { u8 swap; u8 feature; the section }. Decodes it as if from the table and from a
 * record.
 */

#include "format/feature_decode.h"
#include "support/event_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct feature_table features;
	struct event_table events;
	struct byte_reader r;
	struct error err;

	if (size < 2)
		return 0;
	r = byte_reader_over(bytes + 2, size - 2, bytes[0] & 1);
	event_table_init(&events);
	feature_table_init(&features);
	event_table_add(&events, &(struct perf_attr){ 0 });
	(void)feature_table_add(&features, bytes[1], r, FEATURE_FROM_RECORD, &events, &err);
	(void)feature_table_add(&features, bytes[1], r, FEATURE_FROM_TABLE, &events, &err);
	(void)feature_table_add_build_id(&features,
					 &(struct event){ .type = PERF_RECORD_HEADER_BUILD_ID,
							  .misc = bytes[1],
							  .payload = r.next,
							  .payload_size = byte_reader_left(&r),
							  .swap = r.swap },
					 &err);
	event_walk_features(&features.decoded);
	for (size_t i = 0; i < events.count; i++)
		event_walk_bytes(event_table_at(&events, i)->name, strlen(event_table_at(&events, i)->name));
	feature_table_fini(&features);
	event_table_fini(&events);
	return 0;
}
