/*
 * dump_payload() chooses by type: perf's own records, the kernel's, or a sample, which is decoded by the attr of its
 * event. dump_record_check() decodes for the damage alone.
 */
#include "report/dump/dump_record.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>

const char *dump_record_name(uint32_t type, char buffer[static 24])
{
	static const char *const simpleperf[] = {
		[SIMPLEPERF_RECORD_KERNEL_SYMBOL - SIMPLEPERF_RECORD_TYPE_START] =
			"SIMPLE_PERF_KERNEL_SYMBOL",
		[SIMPLEPERF_RECORD_DSO - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_DSO",
		[SIMPLEPERF_RECORD_SYMBOL - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_SYMBOL",
		[SIMPLEPERF_RECORD_SPLIT - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_SPLIT",
		[SIMPLEPERF_RECORD_SPLIT_END - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_SPLIT_END",
		[SIMPLEPERF_RECORD_EVENT_ID - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_EVENT_ID",
		[SIMPLEPERF_RECORD_CALLCHAIN - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_CALLCHAIN",
		[SIMPLEPERF_RECORD_UNWINDING_RESULT - SIMPLEPERF_RECORD_TYPE_START] =
			"SIMPLE_PERF_UNWINDING_RESULT",
		[SIMPLEPERF_RECORD_TRACING_DATA - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_TRACING_DATA",
		[SIMPLEPERF_RECORD_DEBUG - SIMPLEPERF_RECORD_TYPE_START] = "SIMPLE_PERF_DEBUG",
	};

	if (type > SIMPLEPERF_RECORD_TYPE_START &&
	    type - SIMPLEPERF_RECORD_TYPE_START < sizeof(simpleperf) / sizeof(simpleperf[0]))
		return simpleperf[type - SIMPLEPERF_RECORD_TYPE_START];
	return event_type_name(type, buffer);
}

/* PERF_RECORD_MISC_*: the mode, and bits whose meaning depends on the type. */
static void dump_misc(struct dump_out *out, const struct event *event)
{
	static const char *const modes[] = { "unknown",    "kernel",       "user",
					     "hypervisor", "guest_kernel", "guest_user" };
	const unsigned int mode = event->misc & RECORD_MISC_CPUMODE_MASK;

	dump_hex(out, "misc", event->misc);
	if (mode && mode < sizeof(modes) / sizeof(modes[0]))
		dump_word(out, "mode", modes[mode]);
	if (event->type == PERF_RECORD_SAMPLE && event->misc & PERF_RECORD_MISC_EXACT_IP)
		dump_bool(out, "exact_ip", true);
	if (event->type == PERF_RECORD_COMM && event->misc & RECORD_MISC_COMM_EXEC)
		dump_bool(out, "exec", true);
	if ((event->type == PERF_RECORD_MMAP || event->type == PERF_RECORD_MMAP2) &&
	    event->misc & RECORD_MISC_MMAP_DATA)
		dump_bool(out, "data", true);
	if (event->type == PERF_RECORD_SWITCH || event->type == PERF_RECORD_SWITCH_CPU_WIDE)
		dump_word(out, "direction", event->misc & PERF_RECORD_MISC_SWITCH_OUT ? "out" : "in");
}

static int decode_sample(struct sample *sample, const struct event *event, const struct event_desc *desc,
			 struct error *err)
{
	if (!desc)
		return error_set(err, "its id belongs to no event of this file");
	if (sample_decode(sample, event, &desc->attr, err) != 0)
		return error_set(err,
				 "%" PRIu32 " bytes are too few for its fields (sample_type 0x%" PRIx64 ")",
				 event->size, desc->attr.sample_type);
	return 0;
}

static int dump_payload(struct dump_out *out, const struct perf_file *file, const struct event *event,
			struct error *err)
{
	const struct event_desc *desc = perf_file_event(file, perf_file_event_of(file, event));
	struct sample sample;

	if (event->type >= PERF_RECORD_USER_TYPE_START)
		return dump_tool_record(out, event, err);
	if (event->type != PERF_RECORD_SAMPLE)
		return dump_knows_kernel_record(event->type) ?
			       dump_kernel_record(out, event, desc ? &desc->attr : NULL, err) :
			       0;
	if (desc)
		dump_string(out, "event", desc->name);
	if (decode_sample(&sample, event, desc, err) != 0)
		return -1;
	dump_sample(out, &sample, &desc->attr, perf_file_features(file)->arch);
	return 0;
}

static void dump_damage(struct dump_out *out, const char *reason)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s", out->json ? "" : "damaged: ", reason);
	dump_lead_word(out, "damaged", text, COLOR_WARNING);
}

int dump_record(struct dump_out *out, const struct perf_file *file, const struct event *event, bool raw,
		struct error *err)
{
	char name[24];
	int result;

	dump_entry(out, "record", NULL);
	dump_lead_hex(out, "offset", event->file_offset);
	dump_lead_word(out, "type", dump_record_name(event->type, name), COLOR_HEADING);
	dump_unsigned(out, "size", event->size);
	if (event->compressed_size)
		dump_bool(out, "compressed", true);
	dump_misc(out, event);
	result = dump_payload(out, file, event, err);
	if (result != 0)
		dump_damage(out, err->message);
	if (raw)
		dump_hex_lines(out, "payload", event->payload, event->payload_size,
			       event->compressed_size ? PERF_RECORD_HEADER_SIZE :
							event->file_offset + PERF_RECORD_HEADER_SIZE);
	dump_entry_end(out);
	return result;
}

/* Most records are samples: these only have to decode. Other records are written to find damage, and the text is dropped. */
int dump_record_check(struct dump_out *out, const struct perf_file *file, const struct event *event,
		      struct error *err)
{
	const size_t size = out->text.size;
	struct sample sample;
	int result;

	if (event->type == PERF_RECORD_SAMPLE)
		return decode_sample(&sample, event, perf_file_event(file, perf_file_event_of(file, event)),
				     err);
	result = dump_record(out, file, event, false, err);
	out->text.size = size;
	out->text.bytes[size] = '\0';
	return result;
}
