/*
 * parse() walks TRACING_DATA block by block (trace-cmd.dat(5)) and passes each format to libtraceevent. Before the library
 * prints a sample, take_raw() checks that all its fields lie within the bytes, since the library checks nothing. The #else
 * part is for builds without the library.
 */
#include "format/tracepoint/tracepoint_parser.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/xalloc.h"

#ifdef HAVE_LIBTRACEEVENT

#include <event-parse.h>
#include <trace-seq.h>

struct tracepoint_parser {
	struct tep_handle *tep;
	struct strbuf raw; /* a sample's bytes, then zeros: strings at its end may lack a terminator */
	tracepoint_resolve *resolve;
	void *resolve_context;
};

enum { RAW_SLACK_BYTES = 16 }; /* of zeros: more than any number that the library reads at a field's end */

bool tracepoint_parser_available(void)
{
	return true;
}

static const char *read_string(struct byte_reader *r)
{
	size_t size = r->failed ? 0 : strnlen((const char *)r->next, byte_reader_left(r));

	return byte_reader_string(r, size + 1);
}

/* u64 size, then that many bytes. Fails from INT_MAX bytes on, since the library takes ints. */
static struct byte_reader read_block(struct byte_reader *r)
{
	uint64_t size = byte_reader_u64(r);

	if (size >= INT_MAX)
		r->failed = true;
	return byte_reader_sub(r, r->failed ? 0 : size);
}

/* The library wants a terminator behind the text. */
static char *terminated(const struct byte_reader *text)
{
	return xstrndup((const char *)text->next, byte_reader_left(text));
}

static void parse_header_page(struct tracepoint_parser *parser, struct byte_reader *r, int long_size)
{
	struct byte_reader block;
	char *text;

	if (!read_string(r)) /* "header_page" */
		return;
	block = read_block(r);
	if (!byte_reader_ok(r))
		return;
	text = terminated(&block);
	tep_parse_header_page(parser->tep, text, strlen(text), long_size);
	free(text);
	(void)read_string(r); /* "header_event", which is not needed */
	(void)read_block(r);
}

static void parse_formats(struct tracepoint_parser *parser, struct byte_reader *r, const char *system)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		struct byte_reader block = read_block(r);
		char *text;

		if (!byte_reader_ok(r))
			return;
		text = terminated(&block);
		/* The library prints a format that it does not understand field by field, or not at all. */
		(void)tep_parse_event(parser->tep, text, strlen(text), system);
		free(text);
	}
}

static void parse_systems(struct tracepoint_parser *parser, struct byte_reader *r)
{
	for (uint32_t count = byte_reader_u32(r); count && byte_reader_ok(r); count--) {
		const char *system = read_string(r);

		if (system)
			parse_formats(parser, r, system);
	}
}

/*
 * Lines of "0xADDRESS : "TEXT"": constant strings in the kernel that %s in a format points to
 * (/sys/kernel/tracing/printk_formats).
 */
static void parse_printk_formats(struct tracepoint_parser *parser, struct byte_reader block)
{
	char *text = terminated(&block), *line, *rest = NULL;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *end, *format;
		unsigned long long address = strtoull(line, &end, 16);

		format = strchr(end, '"');
		if (end != line && format)
			tep_register_print_string(parser->tep, format, address);
	}
	free(text);
}

/* u32 size and bytes, twice: kallsyms, which is too old to be of use, and the printk formats. */
static void parse_tables(struct tracepoint_parser *parser, struct byte_reader *r)
{
	struct byte_reader printk;

	(void)byte_reader_sub(r, byte_reader_u32(r));
	printk = byte_reader_sub(r, byte_reader_u32(r));
	if (byte_reader_ok(r))
		parse_printk_formats(parser, printk);
}

static int parse(struct tracepoint_parser *parser, struct byte_reader r, struct error *err)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	const uint8_t *start = byte_reader_bytes(&r, sizeof(magic));
	bool big_endian;
	int long_size;
	uint32_t page_size;

	if (!start || memcmp(start, magic, sizeof(magic)) != 0)
		return error_set(err, "the tracing data has an unknown header");
	(void)read_string(&r); /* the version: 0.5, 0.6 */
	big_endian = byte_reader_u8(&r);
	long_size = byte_reader_u8(&r);
	r.swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	page_size = byte_reader_u32(&r);
	if (!byte_reader_ok(&r) || (long_size != 4 && long_size != 8))
		return error_set(err, "the tracing data ends too early, or is damaged");
	tep_set_file_bigendian(parser->tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(parser->tep, long_size);
	tep_set_page_size(parser->tep, (int)page_size);
	parse_header_page(parser, &r, long_size);
	parse_formats(parser, &r, "ftrace");
	parse_systems(parser, &r);
	parse_tables(parser, &r);
	return 0;
}

/* Adapts `resolve` to the library's signature. The name remains the caller's. */
static char *resolve_function(void *context, unsigned long long *address, char **module)
{
	struct tracepoint_parser *parser = context;
	uint64_t start = *address;
	const char *name = parser->resolve(&start, parser->resolve_context);

	*address = start;
	*module = NULL; /* the library does not use it in any of its formats of addresses */
	return (char *)(uintptr_t)name;
}

struct tracepoint_parser *tracepoint_parser_create(struct byte_reader tracing_data,
						   tracepoint_resolve *resolve, void *context,
						   struct error *err)
{
	struct tracepoint_parser *parser = xcalloc(1, sizeof(*parser));

	parser->tep = tep_alloc();
	strbuf_init(&parser->raw);
	parser->resolve = resolve;
	parser->resolve_context = context;
	if (!parser->tep) {
		free(parser);
		error_set(err, "libtraceevent cannot be started");
		return NULL;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_local_bigendian(parser->tep,
				__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	if (resolve)
		tep_set_function_resolver(parser->tep, resolve_function, parser);
	if (parse(parser, tracing_data, err) == 0)
		return parser;
	tracepoint_parser_destroy(parser);
	return NULL;
}

void tracepoint_parser_destroy(struct tracepoint_parser *parser)
{
	if (!parser)
		return;
	tep_free(parser->tep);
	strbuf_fini(&parser->raw);
	free(parser);
}

static struct tep_event *find(const struct tracepoint_parser *parser, uint64_t config)
{
	return config <= INT_MAX ? tep_find_event(parser->tep, (int)config) : NULL;
}

int tracepoint_parser_name(const struct tracepoint_parser *parser, uint64_t config, struct strbuf *name)
{
	struct tep_event *event = find(parser, config);

	if (!event)
		return -1;
	strbuf_addf(name, "%s:%s", event->system, event->name);
	return 0;
}

static bool fits(uint64_t offset, uint64_t size, size_t raw_size)
{
	return offset <= raw_size && size <= raw_size - offset;
}

/*
 * Whether the sample has all the bytes that the field claims, which the library does not check. A dynamic field
 * (__data_loc, __rel_loc) is a word: the offset of its bytes in the lower half, their number in the upper.
 */
static bool field_fits(const struct tracepoint_parser *parser, const struct tep_format_field *field,
		       size_t raw_size)
{
	const char *bytes = parser->raw.bytes;
	uint64_t word, start;

	if (field->offset < 0 || field->size < 0 ||
	    !fits((uint64_t)field->offset, (uint64_t)field->size, raw_size))
		return false;
	if (!(field->flags & TEP_FIELD_IS_DYNAMIC) || field->size == 0)
		return true;
	word = tep_read_number(parser->tep, bytes + field->offset, field->size);
	start = word & UINT16_MAX;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		start += (uint64_t)field->offset + (uint64_t)field->size;
	return fits(start, word >> 16 & UINT16_MAX, raw_size);
}

static bool all_fit(const struct tracepoint_parser *parser, const struct tep_format_field *field,
		    size_t raw_size)
{
	for (; field; field = field->next)
		if (!field_fits(parser, field, raw_size))
			return false;
	return true;
}

/* Returns the tracepoint and copies the sample's bytes into parser->raw; NULL with err if fields exceed them. */
static struct tep_event *take_raw(struct tracepoint_parser *parser, uint64_t config, const uint8_t *raw,
				  size_t raw_size, struct error *err)
{
	struct tep_event *event = find(parser, config);

	if (!event) {
		error_set(err, "the tracing data has no tracepoint %" PRIu64, config);
		return NULL;
	}
	strbuf_reset(&parser->raw);
	strbuf_add(&parser->raw, raw, raw_size);
	strbuf_add_zeros(&parser->raw, RAW_SLACK_BYTES);
	if (all_fit(parser, event->format.common_fields, raw_size) &&
	    all_fit(parser, event->format.fields, raw_size))
		return event;
	error_set(err, "%zu bytes are too few for the fields of %s:%s", raw_size, event->system, event->name);
	return NULL;
}

static void print_event(struct tracepoint_parser *parser, uint32_t cpu, size_t raw_size, struct strbuf *out)
{
	struct tep_record record = { .cpu = (int)cpu, .size = (int)raw_size, .data = parser->raw.bytes };
	struct trace_seq text;

	trace_seq_init(&text);
	tep_print_event(parser->tep, &text, &record, "%s", TEP_PRINT_INFO);
	strbuf_add(out, text.buffer, text.len);
	trace_seq_destroy(&text);
}

int tracepoint_parser_print(struct tracepoint_parser *parser, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size, struct strbuf *out, struct error *err)
{
	if (!take_raw(parser, config, raw, raw_size, err))
		return -1;
	print_event(parser, cpu, raw_size, out);
	return 0;
}

/* Adds "NAME", NUL, "VALUE", NUL for each field. A string is written by a program, so the value ends at its first NUL. */
static void add_fields(struct tracepoint_parser *parser, struct tep_format_field *field, struct strbuf *out)
{
	struct trace_seq text;

	for (; field; field = field->next) {
		strbuf_adds(out, field->name);
		strbuf_addc(out, '\0');
		trace_seq_init(&text);
		tep_print_field(&text, parser->raw.bytes, field);
		strbuf_add(out, text.buffer, strnlen(text.buffer, text.len));
		trace_seq_destroy(&text);
		strbuf_addc(out, '\0');
	}
}

int tracepoint_parser_fields(struct tracepoint_parser *parser, uint64_t config, const uint8_t *raw,
			     size_t raw_size, struct strbuf *out, struct error *err)
{
	struct tep_event *event = take_raw(parser, config, raw, raw_size, err);
	const size_t start = out->size;

	if (!event)
		return -1;
	print_event(parser, 0, raw_size, out);
	strbuf_cut(out, start + strnlen(out->bytes + start, out->size - start));
	strbuf_addc(out, '\0');
	add_fields(parser, event->format.fields, out);
	return 0;
}

#else

bool tracepoint_parser_available(void)
{
	return false;
}

struct tracepoint_parser *tracepoint_parser_create(struct byte_reader tracing_data,
						   tracepoint_resolve *resolve, void *context,
						   struct error *err)
{
	(void)tracing_data, (void)resolve, (void)context;
	error_set(err, "this xprof was built without libtraceevent, which tells what the fields of "
		       "tracepoints are: install its development package and build again ('xprof version "
		       "--build-options' lists what is on)");
	return NULL;
}

void tracepoint_parser_destroy(struct tracepoint_parser *parser)
{
	(void)parser;
}

int tracepoint_parser_name(const struct tracepoint_parser *parser, uint64_t config, struct strbuf *name)
{
	(void)parser, (void)config, (void)name;
	return -1;
}

int tracepoint_parser_print(struct tracepoint_parser *parser, uint64_t config, uint32_t cpu,
			    const uint8_t *raw, size_t raw_size, struct strbuf *out, struct error *err)
{
	(void)parser, (void)config, (void)cpu, (void)raw, (void)raw_size, (void)out;
	return error_set(err, "this xprof was built without libtraceevent");
}

int tracepoint_parser_fields(struct tracepoint_parser *parser, uint64_t config, const uint8_t *raw,
			     size_t raw_size, struct strbuf *out, struct error *err)
{
	return tracepoint_parser_print(parser, config, 0, raw, raw_size, out, err);
}

#endif
