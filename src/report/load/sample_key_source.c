/*
 * Makes a set of keys for each sample. A text that is not known yet is a note that begins with SAMPLE_KEY_NOTE: a
 * tracepoint's raw bytes, under the first key that needs them, or the place of a data address.
 */

#include "report/load/sample_key_source.h"

#include <ctype.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "format/data_source.h"
#include "format/perf_abi.h"
#include "format/tracepoint/tracepoint_format.h"
#include "report/load/branch_keys.h"
#include "report/load/data_symbols.h"
#include "report/load/trace_fields.h"
#include "report/waits/sample_wait.h"
#include "report/waits/wait_text.h"

struct sample_key_source {
	struct sample_keys *keys;
	const struct sample_key_request *request;
	const struct perf_file *file;
	struct process_table *processes;
	enum sample_key noted; /* the key whose note has a tracepoint's bytes; SAMPLE_KEY_COUNT: none */
	size_t most_branches;  /* that marks are made for */
	uint32_t *sockets;     /* by CPU */
	size_t socket_count;
	struct strbuf texts[SAMPLE_KEY_COUNT];
};

/* --- CPUs and their sockets --------------------------------------------------- */

static void skip_strings(struct byte_reader *r)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--)
		byte_reader_skip(r, byte_reader_u32(r));
}

/* HEADER_CPU_TOPOLOGY: two lists of strings, then core and socket of each CPU (perf.data-file-format.txt). */
static void read_sockets(struct sample_key_source *source)
{
	struct byte_reader r = perf_file_feature_bytes(source->file, HEADER_CPU_TOPOLOGY);
	size_t count = perf_file_features(source->file)->cpus_available;

	skip_strings(&r);
	skip_strings(&r);
	if (!byte_reader_ok(&r) || byte_reader_left(&r) / 8 < count)
		return;
	source->sockets = xcalloc(count + 1, sizeof(*source->sockets));
	for (source->socket_count = 0; source->socket_count < count; source->socket_count++) {
		(void)byte_reader_u32(&r);
		source->sockets[source->socket_count] = byte_reader_u32(&r);
	}
}

/* --- texts of one sample ------------------------------------------------------- */

static void add_time(struct strbuf *out, const struct sample_key_request *request, uint64_t time_ns)
{
	if (request->time_quantum_ns)
		time_ns -= time_ns % request->time_quantum_ns;
	if (request->nanoseconds)
		strbuf_addf(out, "%" PRIu64 ".%09" PRIu64, time_ns / 1000000000, time_ns % 1000000000);
	else
		strbuf_addf(out, "%" PRIu64 ".%06" PRIu64, time_ns / 1000000000, time_ns / 1000 % 1000000);
}

/* PERF_TXN_*, linux/perf_event.h. */
static void add_transaction(struct strbuf *out, uint64_t transaction)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} bits[] = {
		{ PERF_TXN_ELISION, "EL " },
		{ PERF_TXN_TRANSACTION, "TX " },
		{ PERF_TXN_SYNC, "SYNC " },
		{ PERF_TXN_ASYNC, "ASYNC " },
		{ PERF_TXN_RETRY, "RETRY " },
		{ PERF_TXN_CONFLICT, "CON " },
		{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE " },
		{ PERF_TXN_CAPACITY_READ, "CAP-READ " },
	};

	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (transaction & bits[i].bit)
			strbuf_adds(out, bits[i].name);
	if (transaction && !(transaction & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		strbuf_adds(out, "NEITHER ");
	if (transaction & PERF_TXN_ABORT_MASK)
		strbuf_addf(out, ":%" PRIx64, (transaction & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT);
}

/* As perf: replaces numbers in a name by <N>, so that workers of one kind become one. */
static void add_without_digits(struct strbuf *out, const char *comm)
{
	while (*comm) {
		if (!isdigit((unsigned char)*comm)) {
			strbuf_addc(out, *comm++);
			continue;
		}
		strbuf_adds(out, "<N>");
		comm += strspn(comm, "0123456789");
	}
}

static bool is_in_kernel(const struct sample *sample)
{
	return (sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static char mode_letter(const struct sample *sample)
{
	return is_in_kernel(sample) ? 'k' : '.';
}

/* Finds what contains the data: the kernel for addresses in its half, else a mapping of the process. */
static bool find_data(const struct sample_key_source *source, const struct sample *sample, uint64_t time_ns,
		      struct mapping *mapping)
{
	const enum address_space space = (int64_t)sample->addr < 0 ? ADDRESS_KERNEL : ADDRESS_USER;

	return process_table_find(source->processes, sample->pid, time_ns, space, sample->addr, mapping) == 1;
}

static void add_data_place(const struct sample_key_source *source, struct strbuf *out,
			   const struct sample *sample, uint64_t time_ns)
{
	struct mapping mapping;

	if (!find_data(source, sample, time_ns, &mapping) || mapping.dso->kind != DSO_FILE) {
		strbuf_addf(out, "[%c] 0x%016" PRIx64, mode_letter(sample), sample->addr);
		return;
	}
	strbuf_addf(out, "%c%c %" PRIu32 " %" PRIx64 " %" PRIx64, SAMPLE_KEY_NOTE, mode_letter(sample),
		    mapping.dso->number, mapping_to_dso_address(&mapping, sample->addr), sample->addr);
}

static void add_data_object(const struct sample_key_source *source, struct strbuf *out,
			    const struct sample *sample, uint64_t time_ns)
{
	struct mapping mapping;

	strbuf_adds(out, find_data(source, sample, time_ns, &mapping) ? mapping.dso->name : "[unknown]");
}

static void add_socket(const struct sample_key_source *source, struct strbuf *out,
		       const struct sample *sample)
{
	if (sample->cpu < source->socket_count)
		strbuf_addf(out, "%03" PRIu32, source->sockets[sample->cpu]);
	else
		strbuf_adds(out, "-001");
}

static void add_access(struct strbuf *out, enum sample_key key, uint64_t word)
{
	switch (key) {
	case SAMPLE_KEY_MEM: data_source_add_level(out, word); break;
	case SAMPLE_KEY_SNOOP: data_source_add_snoop(out, word); break;
	case SAMPLE_KEY_TLB: data_source_add_tlb(out, word); break;
	case SAMPLE_KEY_LOCKED: data_source_add_lock(out, word); break;
	default: data_source_add_block(out, word); break;
	}
}

static void add_number(struct strbuf *out, uint64_t number)
{
	strbuf_addf(out, "%" PRIu64, number);
}

static void add_text(const struct sample_key_source *source, enum sample_key key, struct strbuf *out,
		     const struct sample *sample, const char *comm, uint64_t time_ns)
{
	switch (key) {
	case SAMPLE_KEY_TIME: add_time(out, source->request, time_ns); break;
	case SAMPLE_KEY_LOCAL_WEIGHT:
	case SAMPLE_KEY_WEIGHT: add_number(out, sample->weight); break;
	case SAMPLE_KEY_LOCAL_INS_LAT:
	case SAMPLE_KEY_INS_LAT: add_number(out, sample->weight_var2); break;
	case SAMPLE_KEY_LOCAL_P_STAGE_CYC:
	case SAMPLE_KEY_P_STAGE_CYC:
	case SAMPLE_KEY_LOCAL_RETIRE_LAT:
	case SAMPLE_KEY_RETIRE_LAT: add_number(out, sample->weight_var3); break;
	case SAMPLE_KEY_TRANSACTION: add_transaction(out, sample->transaction); break;
	case SAMPLE_KEY_CODE_PAGE_SIZE: data_source_add_page_size(out, sample->code_page_size); break;
	case SAMPLE_KEY_DATA_PAGE_SIZE: data_source_add_page_size(out, sample->data_page_size); break;
	case SAMPLE_KEY_PHYS_DADDR:
		strbuf_addf(out, "[%c] 0x%016" PRIx64, mode_letter(sample), sample->phys_addr);
		break;
	case SAMPLE_KEY_SYMBOL_DADDR: add_data_place(source, out, sample, time_ns); break;
	case SAMPLE_KEY_DSO_DADDR: add_data_object(source, out, sample, time_ns); break;
	case SAMPLE_KEY_SOCKET: add_socket(source, out, sample); break;
	case SAMPLE_KEY_COMM_NODIGIT: add_without_digits(out, comm); break;
	default: add_access(out, key, sample->data_src); break;
	}
}

/* "EVENT:" and the bytes in hexadecimal. */
static void note_raw(struct strbuf *out, size_t file_event, const struct sample *sample)
{
	strbuf_addf(out, "%c%zu:", SAMPLE_KEY_NOTE, file_event);
	for (size_t i = 0; i < sample->raw_size; i++)
		strbuf_addf(out, "%02x", sample->raw[i]);
}

/* Adds "unknown" for samples of other events, and for raw data that cannot be read. */
static void add_wait(struct strbuf *out, enum sample_key key, const struct event_desc *event,
		     const struct sample *sample)
{
	struct off_cpu_wait wait;

	wait_text_add(out, key, sample_wait_read(&wait, event->name, sample) ? &wait : NULL);
}

static bool is_of_waits(const struct event_desc *event)
{
	return event->name && strcmp(event->name, OFF_CPU_EVENT_NAME) == 0;
}

uint32_t sample_key_source_take(struct sample_key_source *source, const struct sample *sample,
				size_t file_event, const char *comm, uint64_t time_ns)
{
	const struct perf_attr *attr = &perf_file_event(source->file, file_event)->attr;
	const char *texts[SAMPLE_KEY_COUNT] = { NULL };

	if (source->request->only_waits && !is_of_waits(perf_file_event(source->file, file_event)))
		return 0;
	for (int key = 0; key < SAMPLE_KEY_COUNT; key++) {
		struct strbuf *text = &source->texts[key];

		if (!source->request->wanted[key])
			continue;
		strbuf_reset(text);
		if (key == SAMPLE_KEY_BRANCH_MARKS)
			branch_keys_add_marks(text, sample, attr, source->most_branches);
		else if (sample_key_is_of_branch((enum sample_key)key))
			branch_keys_add_text(text, (enum sample_key)key, source->processes, sample, time_ns);
		else if (wait_text_is_key((enum sample_key)key))
			add_wait(text, (enum sample_key)key, perf_file_event(source->file, file_event),
				 sample);
		else if (!sample_key_is_of_trace((enum sample_key)key))
			add_text(source, (enum sample_key)key, text, sample, comm, time_ns);
		else if (attr->type != PERF_TYPE_TRACEPOINT)
			strbuf_adds(text, key == SAMPLE_KEY_TRACE ? "N/A" : "");
		else if (key == (int)source->noted && sample->raw)
			note_raw(text, file_event, sample);
		texts[key] = text->bytes;
	}
	return sample_keys_add(source->keys, texts);
}

/* --- filling in texts after the last sample --------------------------------------- */

static uint8_t hex_digit(char digit)
{
	return (uint8_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

/* Reads the bytes behind the colon of a note; returns their number. */
static size_t read_raw(const char *note, struct strbuf *raw)
{
	const char *hex = strchr(note, ':') + 1;

	strbuf_reset(raw);
	for (; hex[0] && hex[1]; hex += 2)
		strbuf_addc(raw, (char)(hex_digit(hex[0]) << 4 | hex_digit(hex[1])));
	return raw->size;
}

static void ask(const struct sample_key_source *source, struct tracepoint_formats *formats, const char *note,
		struct strbuf *raw)
{
	const size_t event = strtoul(note + 1, NULL, 10), size = read_raw(note, raw);

	tracepoint_formats_ask_fields(formats, perf_file_event(source->file, event)->attr.config,
				      (const uint8_t *)raw->bytes, size);
}

static void take_answer(struct sample_key_source *source, struct tracepoint_formats *formats, uint32_t set)
{
	const size_t event = strtoul(sample_keys_text(source->keys, set, source->noted) + 1, NULL, 10);
	struct strbuf answer;
	struct error err;

	strbuf_init(&answer);
	if (tracepoint_formats_answer(formats, &answer, &err) == 0)
		trace_fields_take(source->keys, set, (uint32_t)event,
				  perf_file_event(source->file, event)->name, &answer);
	else
		trace_fields_fail(source->keys, set, err.message);
	strbuf_fini(&answer);
}

static bool has_note(const struct sample_key_source *source, uint32_t set, enum sample_key key)
{
	return sample_keys_text(source->keys, set, key)[0] == SAMPLE_KEY_NOTE;
}

static void name_traces(struct sample_key_source *source, struct tracepoint_formats *formats)
{
	const uint32_t count = sample_keys_count(source->keys);
	struct strbuf raw;

	strbuf_init(&raw);
	for (uint32_t first = 1, next; first <= count; first = next) {
		for (next = first; next <= count && !tracepoint_formats_is_full(formats); next++)
			if (has_note(source, next, source->noted))
				ask(source, formats, sample_keys_text(source->keys, next, source->noted),
				    &raw);
		for (uint32_t set = first; set < next; set++)
			if (has_note(source, set, source->noted))
				take_answer(source, formats, set);
	}
	strbuf_fini(&raw);
}

static void finish_traces(struct sample_key_source *source)
{
	struct byte_reader bytes = perf_file_feature_bytes(source->file, HEADER_TRACING_DATA);
	struct error err = { .message = "the recording has no tracing data" };
	struct tracepoint_formats *formats = NULL;

	if (byte_reader_left(&bytes))
		formats = tracepoint_formats_create(bytes, NULL, NULL, &err);
	if (formats)
		name_traces(source, formats);
	for (uint32_t set = 1; set <= sample_keys_count(source->keys); set++)
		if (has_note(source, set, source->noted))
			trace_fields_fail(source->keys, set, err.message);
	tracepoint_formats_destroy(formats);
}

static void name_data(struct sample_key_source *source, struct data_symbols *symbols, uint32_t set)
{
	const char *note = sample_keys_text(source->keys, set, SAMPLE_KEY_SYMBOL_DADDR);
	struct data_symbol symbol;
	uint64_t offset, address;
	uint32_t dso;
	char text[512], mode;

	if (note[0] != SAMPLE_KEY_NOTE ||
	    sscanf(note + 1, "%c %" SCNu32 " %" SCNx64 " %" SCNx64, &mode, &dso, &offset, &address) != 4)
		return;
	if (!data_symbols_find(symbols, process_table_dso(source->processes, dso), offset, &symbol))
		snprintf(text, sizeof(text), "[%c] 0x%016" PRIx64, mode, address);
	else if (symbol.is_function)
		snprintf(text, sizeof(text), "[%c] %s", mode, symbol.name);
	else
		snprintf(text, sizeof(text), "[%c] %s+0x%" PRIx64, mode, symbol.name, symbol.offset);
	sample_keys_set(source->keys, set, SAMPLE_KEY_SYMBOL_DADDR, text);
}

void sample_key_source_finish(struct sample_key_source *source, const struct debug_file_search *search,
			      struct symbolizer *symbolizer)
{
	struct data_symbols *symbols = data_symbols_create(search);

	if (source->noted != SAMPLE_KEY_COUNT)
		finish_traces(source);
	if (source->request->wanted[SAMPLE_KEY_SYMBOL_DADDR])
		for (uint32_t set = 1; set <= sample_keys_count(source->keys); set++)
			name_data(source, symbols, set);
	branch_keys_name(source->keys, source->processes, symbolizer);
	sample_keys_finish(source->keys);
	data_symbols_destroy(symbols);
}

/* --- life cycle ----------------------------------------------------------------- */

struct sample_key_source *sample_key_source_create(struct sample_keys *keys, const struct perf_file *file,
						   struct process_table *processes, size_t most_branches)
{
	struct sample_key_source *source = xcalloc(1, sizeof(*source));

	source->keys = keys;
	source->request = sample_keys_request(keys);
	source->file = file;
	source->processes = processes;
	source->most_branches = most_branches;
	source->noted = SAMPLE_KEY_COUNT;
	for (int key = SAMPLE_KEY_COUNT; key-- > 0;) {
		strbuf_init(&source->texts[key]);
		if (source->request->wanted[key] && sample_key_is_of_trace((enum sample_key)key))
			source->noted = (enum sample_key)key;
	}
	if (source->request->wanted[SAMPLE_KEY_SOCKET])
		read_sockets(source);
	return source;
}

void sample_key_source_destroy(struct sample_key_source *source)
{
	if (!source)
		return;
	for (int key = 0; key < SAMPLE_KEY_COUNT; key++)
		strbuf_fini(&source->texts[key]);
	free(source->sockets);
	free(source);
}
