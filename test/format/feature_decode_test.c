#include "format/feature_decode.h"

#include "base/strbuf.h"
#include "support/cmocka.h"

struct fixture {
	struct feature_table features;
	struct event_table events;
	struct strbuf bytes;
};

static void init(struct fixture *f)
{
	feature_table_init(&f->features);
	event_table_init(&f->events);
	strbuf_init(&f->bytes);
}

static void fini(struct fixture *f)
{
	feature_table_fini(&f->features);
	event_table_fini(&f->events);
	strbuf_fini(&f->bytes);
}

static int add(struct fixture *f, unsigned int feature, enum feature_origin origin, bool swap)
{
	struct error err;

	return feature_table_add(&f->features, feature, byte_reader_over(f->bytes.bytes, f->bytes.size, swap),
				 origin, &f->events, &err);
}

/* u32 length, text, padding */
static void put_string(struct fixture *f, const char *text, bool swap)
{
	size_t padded = (strlen(text) + 64) & ~(size_t)63;

	strbuf_add_u32(&f->bytes, (uint32_t)padded, swap);
	strbuf_adds(&f->bytes, text);
	strbuf_add_zeros(&f->bytes, padded - strlen(text));
}

static void strings_and_numbers_are_decoded_in_either_byte_order(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct fixture f;

		init(&f);
		put_string(&f, "sirius", swap);
		assert_int_equal(add(&f, HEADER_HOSTNAME, FEATURE_FROM_RECORD, swap), 0);
		assert_string_equal(f.features.decoded.hostname, "sirius");

		strbuf_reset(&f.bytes);
		strbuf_add_u32(&f.bytes, 8, swap);
		strbuf_add_u32(&f.bytes, 6, swap);
		assert_int_equal(add(&f, HEADER_NRCPUS, FEATURE_FROM_RECORD, swap), 0);
		assert_int_equal(f.features.decoded.cpus_available, 8);
		assert_int_equal(f.features.decoded.cpus_online, 6);

		strbuf_reset(&f.bytes);
		strbuf_add_u64(&f.bytes, 24684096, swap);
		assert_int_equal(add(&f, HEADER_TOTAL_MEM, FEATURE_FROM_RECORD, swap), 0);
		assert_int_equal(f.features.decoded.total_memory_kib, 24684096);

		strbuf_reset(&f.bytes);
		strbuf_add_u64(&f.bytes, 100, swap);
		strbuf_add_u64(&f.bytes, 200, swap);
		assert_int_equal(add(&f, HEADER_SAMPLE_TIME, FEATURE_FROM_RECORD, swap), 0);
		assert_int_equal(f.features.decoded.first_sample_ns, 100);
		assert_int_equal(f.features.decoded.last_sample_ns, 200);

		assert_int_equal(f.features.decoded.clock_id, -1);
		strbuf_reset(&f.bytes);
		strbuf_add_u32(&f.bytes, 1, swap);
		strbuf_add_u32(&f.bytes, 4, swap); /* CLOCK_MONOTONIC_RAW */
		strbuf_add_u64(&f.bytes, 1700000000000000000, swap);
		strbuf_add_u64(&f.bytes, 5000, swap);
		assert_int_equal(add(&f, HEADER_CLOCK_DATA, FEATURE_FROM_RECORD, swap), 0);
		assert_int_equal(f.features.decoded.clock_id, 4);
		assert_true(f.features.decoded.clock_wall_ns == 1700000000000000000);
		assert_int_equal(f.features.decoded.clock_clockid_ns, 5000);
		fini(&f);
	}
}

static void the_command_line_is_decoded_word_by_word(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	strbuf_add_u32(&f.bytes, 3, false);
	put_string(&f, "xprof", false);
	put_string(&f, "record", false);
	put_string(&f, "-a", false);
	assert_int_equal(add(&f, HEADER_CMDLINE, FEATURE_FROM_RECORD, false), 0);
	assert_int_equal(f.features.decoded.command_line_count, 3);
	assert_string_equal(f.features.decoded.command_line[0], "xprof");
	assert_string_equal(f.features.decoded.command_line[2], "-a");
	fini(&f);
}

static void a_count_larger_than_its_bytes_is_refused(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	strbuf_add_u32(&f.bytes, UINT32_MAX, false);
	put_string(&f, "xprof", false);
	assert_int_equal(add(&f, HEADER_CMDLINE, FEATURE_FROM_RECORD, false), -1);
	assert_int_equal(f.features.decoded.command_line_count, 0);
	fini(&f);
}

/* u32 nr, u32 attr_size; attr, u32 nr_ids, name, ids */
static void event_desc_names_events_by_id_or_by_place(void **state)
{
	const struct perf_attr attr = { 0 };
	const uint64_t id = 31;
	struct fixture f;

	(void)state;
	init(&f);
	for (int i = 0; i < 3; i++)
		event_table_add(&f.events, &attr);
	event_table_add_ids(&f.events, 2, byte_reader_over(&id, sizeof(id), false));
	strbuf_add_u32(&f.bytes, 2, false);
	strbuf_add_u32(&f.bytes, 64, false);
	strbuf_add_zeros(&f.bytes, 64); /* the event with id 31, which is the third */
	strbuf_add_u32(&f.bytes, 1, false);
	put_string(&f, "sched:sched_switch", false);
	strbuf_add_u64(&f.bytes, 31, false);
	strbuf_add_zeros(&f.bytes, 64); /* without ids: the second event, as this is the second entry */
	strbuf_add_u32(&f.bytes, 0, false);
	put_string(&f, "dummy", false);
	assert_int_equal(add(&f, HEADER_EVENT_DESC, FEATURE_FROM_RECORD, false), 0);
	assert_string_equal(event_table_at(&f.events, 0)->name, "cycles:HG");
	assert_string_equal(event_table_at(&f.events, 1)->name, "dummy");
	assert_string_equal(event_table_at(&f.events, 2)->name, "sched:sched_switch");
	fini(&f);
}

/* { type, misc, size; s32 pid; build_id[24]; path } */
static void put_build_id(struct fixture *f, uint16_t misc, bool with_pid, uint8_t size, const char *path)
{
	uint8_t field[24] = { 0xab, [19] = 0xcd, [20] = size };
	size_t padded = (strlen(path) + 8) & ~(size_t)7;

	strbuf_add_u32(&f->bytes, 0, false);
	strbuf_add_u16(&f->bytes, misc, false);
	strbuf_add_u16(&f->bytes, (uint16_t)(8 + (with_pid ? 4 : 0) + 24 + padded), false);
	if (with_pid)
		strbuf_add_u32(&f->bytes, UINT32_MAX, false);
	strbuf_add(&f->bytes, field, sizeof(field));
	strbuf_adds(&f->bytes, path);
	strbuf_add_zeros(&f->bytes, padded - strlen(path));
}

static void build_ids_have_their_own_size_where_misc_says_so(void **state)
{
	const struct build_id_entry *entries;
	struct fixture f;

	(void)state;
	init(&f);
	put_build_id(&f, 1, true, 0, "[kernel.kallsyms]");
	put_build_id(&f, 2 | 1 << 15, true, 16, "/usr/bin/go-program");
	assert_int_equal(add(&f, HEADER_BUILD_ID, FEATURE_FROM_TABLE, false), 0);
	assert_int_equal(f.features.decoded.build_id_count, 2);
	entries = f.features.decoded.build_ids;
	assert_string_equal(entries[0].path, "[kernel.kallsyms]");
	assert_int_equal(entries[0].build_id_size, 20);
	assert_int_equal(entries[0].misc, 1);
	assert_int_equal(entries[0].build_id[19], 0xcd);
	assert_string_equal(entries[1].path, "/usr/bin/go-program");
	assert_int_equal(entries[1].build_id_size, 16);
	assert_int_equal(entries[1].misc, 2);
	fini(&f);
}

static void build_ids_of_the_oldest_files_have_no_pid(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	put_build_id(&f, 1, false, 0, "[kernel.kallsyms]");
	assert_int_equal(add(&f, HEADER_BUILD_ID, FEATURE_FROM_TABLE, false), 0);
	assert_string_equal(f.features.decoded.build_ids[0].path, "[kernel.kallsyms]");
	assert_int_equal(f.features.decoded.build_ids[0].build_id[0], 0xab);
	fini(&f);
}

static void what_the_table_said_is_not_overruled_by_records(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	put_string(&f, "final", false);
	assert_int_equal(add(&f, HEADER_HOSTNAME, FEATURE_FROM_TABLE, false), 0);
	strbuf_reset(&f.bytes);
	put_string(&f, "ahead", false);
	assert_int_equal(add(&f, HEADER_HOSTNAME, FEATURE_FROM_RECORD, false), 0);
	assert_string_equal(f.features.decoded.hostname, "final");
	fini(&f);
}

static void what_is_not_known_is_kept_as_bytes(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	strbuf_adds(&f.bytes, "simpleperf's own");
	assert_int_equal(add(&f, 128, FEATURE_FROM_RECORD, false), 0);
	assert_int_equal(f.features.decoded.present[2], 1);
	assert_int_equal(f.features.raw[128].size, 16);
	assert_memory_equal(f.features.raw[128].bytes, "simpleperf's own", 16);
	assert_int_equal(add(&f, HEADER_FEATURE_BITS, FEATURE_FROM_RECORD, false), 0);
	assert_int_equal(add(&f, 0, FEATURE_FROM_RECORD, false), 0);
	assert_int_equal(f.features.decoded.present[0], 0);
	fini(&f);
}

static void empty_features_are_there_but_say_nothing(void **state)
{
	struct fixture f;

	(void)state;
	init(&f);
	assert_int_equal(add(&f, HEADER_CPUDESC, FEATURE_FROM_TABLE, false), 0);
	assert_null(f.features.decoded.cpu_description);
	assert_int_equal(f.features.decoded.present[0], 1 << HEADER_CPUDESC);
	fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_and_numbers_are_decoded_in_either_byte_order),
		cmocka_unit_test(the_command_line_is_decoded_word_by_word),
		cmocka_unit_test(a_count_larger_than_its_bytes_is_refused),
		cmocka_unit_test(event_desc_names_events_by_id_or_by_place),
		cmocka_unit_test(build_ids_have_their_own_size_where_misc_says_so),
		cmocka_unit_test(build_ids_of_the_oldest_files_have_no_pid),
		cmocka_unit_test(what_the_table_said_is_not_overruled_by_records),
		cmocka_unit_test(what_is_not_known_is_kept_as_bytes),
		cmocka_unit_test(empty_features_are_there_but_say_nothing),
	};

	return cmocka_run_group_tests_name("format/feature_decode", tests, NULL, NULL);
}
