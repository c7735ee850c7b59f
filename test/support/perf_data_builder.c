#include "support/perf_data_builder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "format/perf_abi.h"
#include "support/cmocka.h"

struct perf_data_builder *perf_data_builder_create(enum built_byte_order order)
{
	struct perf_data_builder *b = xcalloc(1, sizeof(*b));

	b->swap = order == BUILD_SWAPPED;
	strbuf_init(&b->records);
	strbuf_init(&b->out);
	for (size_t i = 0; i < BUILT_FEATURES_MAX; i++)
		strbuf_init(&b->features[i]);
	return b;
}

void perf_data_builder_destroy(struct perf_data_builder *b)
{
	for (size_t i = 0; i < BUILT_FEATURES_MAX; i++)
		strbuf_fini(&b->features[i]);
	strbuf_fini(&b->records);
	strbuf_fini(&b->out);
	free(b);
}

size_t perf_data_builder_add_event(struct perf_data_builder *b, const struct built_event *event)
{
	if (b->event_count == BUILT_EVENTS_MAX)
		abort();
	b->events[b->event_count] = *event;
	return b->event_count++;
}

size_t perf_data_builder_add_clock(struct perf_data_builder *b)
{
	return perf_data_builder_add_event(
		b, &(struct built_event){ .attr = { .type = PERF_TYPE_SOFTWARE,
						    .size = PERF_ATTR_SIZE_VER5,
						    .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
								   PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
								   PERF_SAMPLE_CALLCHAIN,
						    .freq = 1,
						    .sample_freq = 1000,
						    .sample_id_all = 1 },
					  .name = "cpu-clock" });
}

/* --- any record --- */

void perf_data_builder_u16(struct perf_data_builder *b, uint16_t value)
{
	strbuf_add_u16(&b->records, value, b->swap);
}

void perf_data_builder_u32(struct perf_data_builder *b, uint32_t value)
{
	strbuf_add_u32(&b->records, value, b->swap);
}

void perf_data_builder_u64(struct perf_data_builder *b, uint64_t value)
{
	strbuf_add_u64(&b->records, value, b->swap);
}

void perf_data_builder_bytes(struct perf_data_builder *b, const void *bytes, size_t size)
{
	strbuf_add(&b->records, bytes, size);
}

void perf_data_builder_text(struct perf_data_builder *b, const char *text)
{
	size_t length = strlen(text);

	strbuf_add(&b->records, text, length);
	strbuf_add_zeros(&b->records, 8 - length % 8);
}

void perf_data_builder_begin(struct perf_data_builder *b, uint32_t type, uint16_t misc)
{
	b->record_start = b->records.size;
	perf_data_builder_u32(b, type);
	perf_data_builder_u16(b, misc);
	perf_data_builder_u16(b, 0);
}

void perf_data_builder_end(struct perf_data_builder *b)
{
	size_t size = b->records.size - b->record_start;
	struct strbuf field;

	if (size > UINT16_MAX)
		abort();
	strbuf_init(&field);
	strbuf_add_u16(&field, (uint16_t)size, b->swap);
	memcpy(b->records.bytes + b->record_start + 6, field.bytes, 2);
	strbuf_fini(&field);
}

static uint64_t first_id(const struct built_event *event)
{
	return event->id_count ? event->ids[0] : 0;
}

/* struct sample_id of event 0 */
void perf_data_builder_trailer(struct perf_data_builder *b, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	const struct built_event *event = &b->events[0];
	const uint64_t type = event->attr.sample_type;

	if (b->event_count == 0 || !event->attr.sample_id_all)
		return;
	if (type & PERF_SAMPLE_TID) {
		perf_data_builder_u32(b, pid);
		perf_data_builder_u32(b, tid);
	}
	if (type & PERF_SAMPLE_TIME)
		perf_data_builder_u64(b, time_ns);
	if (type & PERF_SAMPLE_ID)
		perf_data_builder_u64(b, first_id(event));
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_data_builder_u64(b, first_id(event));
	if (type & PERF_SAMPLE_CPU) {
		perf_data_builder_u32(b, b->trailer_cpu);
		perf_data_builder_u32(b, 0);
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		perf_data_builder_u64(b, first_id(event));
}

/* --- the kernel's state records --- */

static void add_comm(struct perf_data_builder *b, uint16_t misc, uint32_t pid, uint32_t tid, const char *comm,
		     uint64_t time_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_COMM, misc);
	perf_data_builder_u32(b, pid);
	perf_data_builder_u32(b, tid);
	perf_data_builder_text(b, comm);
	perf_data_builder_trailer(b, pid, tid, time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_comm(struct perf_data_builder *b, uint32_t pid, uint32_t tid, const char *comm,
			    uint64_t time_ns)
{
	add_comm(b, 0, pid, tid, comm, time_ns);
}

void perf_data_builder_comm_exec(struct perf_data_builder *b, uint32_t pid, uint32_t tid, const char *comm,
				 uint64_t time_ns)
{
	add_comm(b, RECORD_MISC_COMM_EXEC, pid, tid, comm, time_ns);
}

static void begin_mmap(struct perf_data_builder *b, uint32_t type, const struct built_mmap *mmap)
{
	perf_data_builder_begin(b, type, mmap->misc | (mmap->build_id ? RECORD_MISC_MMAP_BUILD_ID : 0));
	perf_data_builder_u32(b, mmap->pid);
	perf_data_builder_u32(b, mmap->tid);
	perf_data_builder_u64(b, mmap->start);
	perf_data_builder_u64(b, mmap->length);
	perf_data_builder_u64(b, mmap->file_offset);
}

static void end_mmap(struct perf_data_builder *b, const struct built_mmap *mmap)
{
	perf_data_builder_text(b, mmap->path);
	perf_data_builder_trailer(b, mmap->pid, mmap->tid, mmap->time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_mmap(struct perf_data_builder *b, const struct built_mmap *mmap)
{
	begin_mmap(b, PERF_RECORD_MMAP, mmap);
	end_mmap(b, mmap);
}

static void add_mmap2_identity(struct perf_data_builder *b, const struct built_mmap *mmap)
{
	uint8_t build_id[24] = { 0 };

	if (mmap->build_id) {
		build_id[0] = mmap->build_id_size;
		memcpy(build_id + 4, mmap->build_id, mmap->build_id_size);
		perf_data_builder_bytes(b, build_id, sizeof(build_id));
		return;
	}
	perf_data_builder_u32(b, mmap->device_major);
	perf_data_builder_u32(b, mmap->device_minor);
	perf_data_builder_u64(b, mmap->inode);
	perf_data_builder_u64(b, mmap->inode_generation);
}

void perf_data_builder_mmap2(struct perf_data_builder *b, const struct built_mmap *mmap)
{
	begin_mmap(b, PERF_RECORD_MMAP2, mmap);
	add_mmap2_identity(b, mmap);
	perf_data_builder_u32(b, mmap->prot);
	perf_data_builder_u32(b, mmap->flags);
	end_mmap(b, mmap);
}

static void add_task(struct perf_data_builder *b, uint32_t type, const uint32_t task[4], uint64_t time_ns)
{
	perf_data_builder_begin(b, type, 0);
	for (int i = 0; i < 4; i++)
		perf_data_builder_u32(b, task[i]);
	perf_data_builder_u64(b, time_ns);
	perf_data_builder_trailer(b, task[0], task[2], time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_fork(struct perf_data_builder *b, uint32_t pid, uint32_t parent_pid, uint32_t tid,
			    uint32_t parent_tid, uint64_t time_ns)
{
	add_task(b, PERF_RECORD_FORK, (const uint32_t[]){ pid, parent_pid, tid, parent_tid }, time_ns);
}

void perf_data_builder_exit(struct perf_data_builder *b, uint32_t pid, uint32_t parent_pid, uint32_t tid,
			    uint32_t parent_tid, uint64_t time_ns)
{
	add_task(b, PERF_RECORD_EXIT, (const uint32_t[]){ pid, parent_pid, tid, parent_tid }, time_ns);
}

void perf_data_builder_lost(struct perf_data_builder *b, uint64_t id, uint64_t lost, uint64_t time_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_LOST, 0);
	perf_data_builder_u64(b, id);
	perf_data_builder_u64(b, lost);
	perf_data_builder_trailer(b, 0, 0, time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_lost_samples(struct perf_data_builder *b, uint64_t lost, uint64_t time_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_LOST_SAMPLES, 0);
	perf_data_builder_u64(b, lost);
	perf_data_builder_trailer(b, 0, 0, time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_ksymbol(struct perf_data_builder *b, uint64_t address, uint32_t length, uint16_t type,
			       uint16_t flags, const char *name, uint64_t time_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_KSYMBOL, 0);
	perf_data_builder_u64(b, address);
	perf_data_builder_u32(b, length);
	perf_data_builder_u16(b, type);
	perf_data_builder_u16(b, flags);
	perf_data_builder_text(b, name);
	perf_data_builder_trailer(b, 0, 0, time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_switch(struct perf_data_builder *b, bool out, uint32_t pid, uint32_t tid,
			      uint64_t time_ns)
{
	perf_data_builder_begin(b, PERF_RECORD_SWITCH, out ? PERF_RECORD_MISC_SWITCH_OUT : 0);
	perf_data_builder_trailer(b, pid, tid, time_ns);
	perf_data_builder_end(b);
}

void perf_data_builder_finished_round(struct perf_data_builder *b)
{
	perf_data_builder_begin(b, PERF_RECORD_FINISHED_ROUND, 0);
	perf_data_builder_end(b);
}

/* --- samples --- */

static void add_words(struct perf_data_builder *b, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		perf_data_builder_u64(b, words ? words[i] : 0);
}

static void add_sample_head(struct perf_data_builder *b, const struct built_sample *sample, uint64_t type,
			    uint64_t id)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		perf_data_builder_u64(b, id);
	if (type & PERF_SAMPLE_IP)
		perf_data_builder_u64(b, sample->ip);
	if (type & PERF_SAMPLE_TID) {
		perf_data_builder_u32(b, sample->pid);
		perf_data_builder_u32(b, sample->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		perf_data_builder_u64(b, sample->time_ns);
	if (type & PERF_SAMPLE_ADDR)
		perf_data_builder_u64(b, sample->addr);
	if (type & PERF_SAMPLE_ID)
		perf_data_builder_u64(b, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		perf_data_builder_u64(b, sample->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		perf_data_builder_u32(b, sample->cpu);
		perf_data_builder_u32(b, 0);
	}
	if (type & PERF_SAMPLE_PERIOD)
		perf_data_builder_u64(b, sample->period);
}

static void add_branches(struct perf_data_builder *b, const struct built_sample *sample,
			 const struct perf_event_attr *attr)
{
	perf_data_builder_u64(b, sample->branch_count);
	if (attr->branch_sample_type & 1 << 17) /* HW_INDEX */
		perf_data_builder_u64(b, sample->branch_hw_index);
	add_words(b, sample->branches, 3 * sample->branch_count);
	if (attr->branch_sample_type & 1 << 19) /* COUNTERS */
		add_words(b, sample->branch_counters, sample->branch_count);
}

static void add_registers(struct perf_data_builder *b, uint64_t abi, const uint64_t *registers, uint64_t mask)
{
	perf_data_builder_u64(b, abi);
	if (abi)
		add_words(b, registers, (size_t)__builtin_popcountll(mask));
}

static void add_stack(struct perf_data_builder *b, const struct built_sample *sample)
{
	perf_data_builder_u64(b, sample->user_stack_size);
	if (sample->user_stack_size == 0)
		return;
	perf_data_builder_bytes(b, sample->user_stack, sample->user_stack_size);
	perf_data_builder_u64(b, sample->user_stack_dumped);
}

static void add_sample_stacks(struct perf_data_builder *b, const struct built_sample *sample,
			      const struct perf_event_attr *attr)
{
	const uint64_t type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		add_words(b, sample->read_words, sample->read_word_count);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		perf_data_builder_u64(b, sample->callchain_count);
		add_words(b, sample->callchain, sample->callchain_count);
	}
	if (type & PERF_SAMPLE_RAW) {
		perf_data_builder_u32(b, sample->raw_size);
		perf_data_builder_bytes(b, sample->raw, sample->raw_size);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		add_branches(b, sample, attr);
	if (type & PERF_SAMPLE_REGS_USER)
		add_registers(b, sample->user_regs_abi, sample->user_regs, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		add_stack(b, sample);
}

static void add_sample_tail(struct perf_data_builder *b, const struct built_sample *sample,
			    const struct perf_event_attr *attr)
{
	const uint64_t type = attr->sample_type;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		perf_data_builder_u64(b, sample->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		perf_data_builder_u64(b, sample->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		perf_data_builder_u64(b, sample->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		add_registers(b, sample->intr_regs_abi, sample->intr_regs, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		perf_data_builder_u64(b, sample->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		perf_data_builder_u64(b, sample->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		perf_data_builder_u64(b, sample->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		perf_data_builder_u64(b, sample->code_page_size);
	if (type & PERF_SAMPLE_AUX) {
		perf_data_builder_u64(b, sample->aux_size);
		perf_data_builder_bytes(b, sample->aux, sample->aux_size);
	}
}

void perf_data_builder_sample(struct perf_data_builder *b, const struct built_sample *sample)
{
	const struct built_event *event = &b->events[sample->event];
	uint64_t id = sample->id ? sample->id : first_id(event);

	perf_data_builder_begin(b, PERF_RECORD_SAMPLE, sample->misc);
	add_sample_head(b, sample, event->attr.sample_type, id);
	add_sample_stacks(b, sample, &event->attr);
	add_sample_tail(b, sample, &event->attr);
	perf_data_builder_end(b);
}

/* --- features --- */

void perf_data_builder_feature_record(struct perf_data_builder *b, uint64_t feature, const void *bytes,
				      size_t size)
{
	perf_data_builder_begin(b, PERF_RECORD_HEADER_FEATURE, 0);
	perf_data_builder_u64(b, feature);
	perf_data_builder_bytes(b, bytes, size);
	perf_data_builder_end(b);
}

void perf_data_builder_build_id_record(struct perf_data_builder *b, uint16_t misc,
				       const uint8_t build_id[static 20], const char *path)
{
	const uint8_t size_and_reserved[4] = { 20 };

	perf_data_builder_begin(b, PERF_RECORD_HEADER_BUILD_ID, misc | 1 << 15);
	perf_data_builder_u32(b, UINT32_MAX);
	perf_data_builder_bytes(b, build_id, 20);
	perf_data_builder_bytes(b, size_and_reserved, sizeof(size_and_reserved));
	perf_data_builder_text(b, path);
	perf_data_builder_end(b);
}

void perf_data_builder_feature(struct perf_data_builder *b, unsigned int feature, const void *bytes,
			       size_t size)
{
	strbuf_reset(&b->features[feature]);
	strbuf_add(&b->features[feature], bytes, size);
	b->has_feature[feature] = true;
}

static void add_feature_string(struct strbuf *out, const char *text, bool swap)
{
	size_t length = strlen(text), padded = (length + 64) & ~(size_t)63;

	strbuf_add_u32(out, (uint32_t)padded, swap);
	strbuf_add(out, text, length);
	strbuf_add_zeros(out, padded - length);
}

void perf_data_builder_feature_string(struct perf_data_builder *b, unsigned int feature, const char *text)
{
	strbuf_reset(&b->features[feature]);
	add_feature_string(&b->features[feature], text, b->swap);
	b->has_feature[feature] = true;
}

/* --- the file --- */

/* A big-endian compiler lays out bit fields from the other end. */
static uint64_t file_flags(const struct perf_data_builder *b, const struct perf_event_attr *attr)
{
	uint64_t flags, mirrored = 0;

	memcpy(&flags, (const char *)attr + offsetof(struct perf_event_attr, read_format) + 8, sizeof(flags));
	if (!b->swap)
		return flags;
	for (int i = 0; i < 64; i++)
		mirrored |= (flags >> i & 1) << (63 - i);
	/* precise_ip has two bits, the more significant of which keeps its place */
	mirrored &= ~((uint64_t)3 << 47);
	return mirrored | (flags >> 15 & 3) << 47;
}

/* Adds struct perf_event_attr in `size` bytes, cut or padded with zeros. */
static void add_attr(struct perf_data_builder *b, struct strbuf *out, const struct perf_event_attr *attr,
		     size_t size)
{
	const bool swap = b->swap;
	struct strbuf bytes;

	strbuf_init(&bytes);
	strbuf_add_u32(&bytes, attr->type, swap);
	strbuf_add_u32(&bytes, attr->size, swap);
	strbuf_add_u64(&bytes, attr->config, swap);
	strbuf_add_u64(&bytes, attr->sample_period, swap);
	strbuf_add_u64(&bytes, attr->sample_type, swap);
	strbuf_add_u64(&bytes, attr->read_format, swap);
	strbuf_add_u64(&bytes, file_flags(b, attr), swap);
	strbuf_add_u32(&bytes, attr->wakeup_events, swap);
	strbuf_add_u32(&bytes, attr->bp_type, swap);
	strbuf_add_u64(&bytes, attr->config1, swap);
	strbuf_add_u64(&bytes, attr->config2, swap);
	strbuf_add_u64(&bytes, attr->branch_sample_type, swap);
	strbuf_add_u64(&bytes, attr->sample_regs_user, swap);
	strbuf_add_u32(&bytes, attr->sample_stack_user, swap);
	strbuf_add_u32(&bytes, (uint32_t)attr->clockid, swap);
	strbuf_add_u64(&bytes, attr->sample_regs_intr, swap);
	strbuf_add_u32(&bytes, attr->aux_watermark, swap);
	strbuf_add_u16(&bytes, attr->sample_max_stack, swap);
	strbuf_add_u16(&bytes, 0, swap);
	strbuf_add_u32(&bytes, attr->aux_sample_size, swap);
	strbuf_add_zeros(&bytes, 4 + size);
	strbuf_add(out, bytes.bytes, size);
	strbuf_fini(&bytes);
}

static size_t attr_bytes(const struct perf_data_builder *b)
{
	return b->attr_bytes ? b->attr_bytes : sizeof(struct perf_event_attr);
}

static size_t attr_stride(const struct perf_data_builder *b)
{
	return b->attr_stride ? b->attr_stride : attr_bytes(b) + 16;
}

static bool any_name(const struct perf_data_builder *b)
{
	for (size_t i = 0; i < b->event_count; i++)
		if (b->events[i].name)
			return true;
	return false;
}

static void add_event_ids(const struct perf_data_builder *b, struct strbuf *out,
			  const struct built_event *event)
{
	for (size_t i = 0; i < event->id_count; i++)
		strbuf_add_u64(out, event->ids[i], b->swap);
}

static void make_event_desc(struct perf_data_builder *b)
{
	struct strbuf *out = &b->features[HEADER_EVENT_DESC];

	if (!any_name(b) || b->has_feature[HEADER_EVENT_DESC])
		return;
	b->has_feature[HEADER_EVENT_DESC] = true;
	strbuf_add_u32(out, (uint32_t)b->event_count, b->swap);
	strbuf_add_u32(out, (uint32_t)attr_bytes(b), b->swap);
	for (size_t i = 0; i < b->event_count; i++) {
		const struct built_event *event = &b->events[i];

		add_attr(b, out, &event->attr, attr_bytes(b));
		strbuf_add_u32(out, (uint32_t)event->id_count, b->swap);
		add_feature_string(out, event->name ? event->name : "", b->swap);
		add_event_ids(b, out, event);
	}
}

static void add_section(struct perf_data_builder *b, uint64_t offset, uint64_t size)
{
	strbuf_add_u64(&b->out, offset, b->swap);
	strbuf_add_u64(&b->out, size, b->swap);
}

static void add_magic(struct perf_data_builder *b)
{
	if (b->version1)
		strbuf_add(&b->out, "PERFFILE", 8);
	else
		strbuf_add_u64(&b->out, PERF_FILE_MAGIC2, b->swap);
}

static void add_header(struct perf_data_builder *b, uint64_t data_offset)
{
	uint64_t bits[4] = { 0 };

	add_magic(b);
	strbuf_add_u64(&b->out, PERF_FILE_HEADER_SIZE, b->swap);
	strbuf_add_u64(&b->out, attr_stride(b), b->swap);
	add_section(b, PERF_FILE_HEADER_SIZE, b->event_count * attr_stride(b));
	add_section(b, data_offset, b->never_patched ? 0 : b->records.size);
	add_section(b, 0, 0);
	for (unsigned int i = 0; i < BUILT_FEATURES_MAX; i++)
		bits[i / 64] |= (uint64_t)(b->has_feature[i] && !b->never_finished) << i % 64;
	for (int i = 0; i < 4; i++)
		strbuf_add_u64(&b->out, bits[i], b->swap);
}

static void add_attrs_and_ids(struct perf_data_builder *b, uint64_t ids_offset)
{
	for (size_t i = 0; i < b->event_count; i++) {
		const struct built_event *event = &b->events[i];

		add_attr(b, &b->out, &event->attr, attr_stride(b) - 16);
		add_section(b, ids_offset, event->id_count * 8);
		ids_offset += event->id_count * 8;
	}
	for (size_t i = 0; i < b->event_count; i++)
		add_event_ids(b, &b->out, &b->events[i]);
}

static void add_feature_table(struct perf_data_builder *b)
{
	uint64_t offset = b->out.size;

	for (unsigned int i = 0; i < BUILT_FEATURES_MAX; i++)
		offset += b->has_feature[i] ? 16 : 0;
	for (unsigned int i = 0; i < BUILT_FEATURES_MAX; i++) {
		if (!b->has_feature[i])
			continue;
		add_section(b, offset, b->features[i].size);
		offset += b->features[i].size;
	}
	for (unsigned int i = 0; i < BUILT_FEATURES_MAX; i++)
		if (b->has_feature[i])
			strbuf_add(&b->out, b->features[i].bytes, b->features[i].size);
}

void perf_data_builder_finish_file(struct perf_data_builder *b)
{
	uint64_t ids_offset = PERF_FILE_HEADER_SIZE + b->event_count * attr_stride(b),
		 data_offset = ids_offset;

	for (size_t i = 0; i < b->event_count; i++)
		data_offset += b->events[i].id_count * 8;
	strbuf_reset(&b->out);
	make_event_desc(b);
	add_header(b, data_offset);
	add_attrs_and_ids(b, ids_offset);
	strbuf_add(&b->out, b->records.bytes, b->records.size);
	if (!b->never_patched && !b->never_finished)
		add_feature_table(b);
}

static void add_attr_record(struct perf_data_builder *b, const struct built_event *event)
{
	size_t size = PERF_RECORD_HEADER_SIZE + attr_bytes(b) + event->id_count * 8;

	strbuf_add_u32(&b->out, PERF_RECORD_HEADER_ATTR, b->swap);
	strbuf_add_u16(&b->out, 0, b->swap);
	strbuf_add_u16(&b->out, (uint16_t)size, b->swap);
	add_attr(b, &b->out, &event->attr, attr_bytes(b));
	add_event_ids(b, &b->out, event);
}

static void add_pipe_feature(struct perf_data_builder *b, unsigned int feature)
{
	const struct strbuf *bytes = &b->features[feature];

	strbuf_add_u32(&b->out, PERF_RECORD_HEADER_FEATURE, b->swap);
	strbuf_add_u16(&b->out, 0, b->swap);
	strbuf_add_u16(&b->out, (uint16_t)(16 + bytes->size), b->swap);
	strbuf_add_u64(&b->out, feature, b->swap);
	strbuf_add(&b->out, bytes->bytes, bytes->size);
}

void perf_data_builder_finish_pipe(struct perf_data_builder *b)
{
	strbuf_reset(&b->out);
	make_event_desc(b);
	strbuf_add_u64(&b->out, PERF_FILE_MAGIC2, b->swap);
	strbuf_add_u64(&b->out, PERF_PIPE_HEADER_SIZE, b->swap);
	for (size_t i = 0; i < b->event_count; i++)
		add_attr_record(b, &b->events[i]);
	for (unsigned int i = 0; i < BUILT_FEATURES_MAX; i++)
		if (b->has_feature[i])
			add_pipe_feature(b, i);
	strbuf_add(&b->out, b->records.bytes, b->records.size);
}

void perf_data_builder_save(const struct perf_data_builder *b, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, b->out.bytes, b->out.size) != (ssize_t)b->out.size || close(fd) != 0) {
		perror(path);
		abort();
	}
}

struct perf_file *perf_data_builder_open(const struct perf_data_builder *b)
{
	struct error err = { 0 };
	struct perf_file *file = perf_file_open_memory(b->out.bytes, b->out.size, "built", &err);

	if (!file)
		fail_msg("%s", err.message);
	return file;
}
