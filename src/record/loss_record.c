/* Writes records of losses as the kernel would have written them. */

#include "record/loss_record.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/strbuf.h"
#include "record/event/event_attr.h"

/* Appends a record with these words and a trailer that has only the id. */
static int append_record(struct perf_writer *writer, uint32_t type, const struct perf_event_attr *attr,
			 uint64_t id, const uint64_t *words, size_t count, struct error *err)
{
	struct perf_event_header header = { .type = type };
	struct strbuf record = STRBUF_INIT;
	int result;

	header.size = (uint16_t)(sizeof(header) + count * sizeof(*words) + event_attr_sample_id_size(attr));
	strbuf_add(&record, &header, sizeof(header));
	strbuf_add(&record, words, count * sizeof(*words));
	strbuf_add_zeros(&record, header.size - record.size);
	if (attr->sample_type & PERF_SAMPLE_IDENTIFIER) /* the trailer's last word */
		memcpy(record.bytes + record.size - sizeof(id), &id, sizeof(id));
	result = perf_writer_append(writer, record.bytes, record.size, err);
	strbuf_fini(&record);
	return result;
}

int loss_record_append_samples(struct perf_writer *writer, const struct perf_event_attr *attr, uint64_t id,
			       uint64_t lost, struct error *err)
{
	return append_record(writer, PERF_RECORD_LOST_SAMPLES, attr, id, &lost, 1, err);
}

int loss_record_append(struct perf_writer *writer, const struct perf_event_attr *attr, uint64_t id,
		       uint64_t lost, struct error *err)
{
	return append_record(writer, PERF_RECORD_LOST, attr, id, (const uint64_t[]){ id, lost }, 2, err);
}
