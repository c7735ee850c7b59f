#include "report/dump/dump_simpleperf_feature.h"

#include "format/perf_abi.h"
#include "report/dump/dump_feature.h"
#include "support/cmocka.h"

struct fixture {
	struct strbuf bytes;
	struct dump_out out;
	struct error err;
	int result;
};

static const struct perf_features nothing;

static const char *dump(struct fixture *f, unsigned int feature, bool swap)
{
	dump_out_init(&f->out, false, (struct color){ false });
	f->result = dump_feature(&f->out, feature, byte_reader_over(f->bytes.bytes, f->bytes.size, swap),
				 &nothing, &f->err);
	return f->out.text.bytes;
}

static void end(struct fixture *f)
{
	strbuf_fini(&f->bytes);
	dump_out_fini(&f->out);
}

static void add_string(struct strbuf *bytes, const char *text)
{
	strbuf_add(bytes, text, strlen(text) + 1);
}

/* One of each type; the first without what a newer version writes behind the symbols. */
static void add_files(struct strbuf *bytes, bool swap)
{
	for (uint32_t type = 0; type < 4; type++) {
		struct strbuf file;

		strbuf_init(&file);
		add_string(&file, "/a/file");
		strbuf_add_u32(&file, type, swap);
		strbuf_add_u64(&file, 0x1000, swap);
		strbuf_add_u32(&file, 1, swap);
		strbuf_add_u64(&file, 0x1040, swap);
		strbuf_add_u32(&file, 16, swap);
		add_string(&file, "main");
		if (type == 3) {
			strbuf_add_u32(&file, 1, swap);
			strbuf_add_u64(&file, 0x28, swap);
		} else if (type) {
			strbuf_add_u64(&file, 0x2000, swap);
		}
		strbuf_add_u32(bytes, (uint32_t)file.size, swap);
		strbuf_add(bytes, file.bytes, file.size);
		strbuf_fini(&file);
	}
}

static void files_have_paths_and_places_in_either_byte_order(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct fixture f = { 0 };

		add_files(&f.bytes, swap);
		assert_string_equal(
			dump(&f, HEADER_SIMPLEPERF_FILE, swap),
			"SIMPLEPERF_FILE  bytes 208\n"
			"    files:\n"
			"        path \"/a/file\" file_type kernel min_vaddr 0x1000 symbols 1\n"
			"        path \"/a/file\" file_type kernel_module min_vaddr 0x1000 symbols 1 "
			"memory_offset_of_min_vaddr 0x2000\n"
			"        path \"/a/file\" file_type elf min_vaddr 0x1000 symbols 1 "
			"file_offset_of_min_vaddr 0x2000\n"
			"        path \"/a/file\" file_type dex min_vaddr 0x1000 symbols 1 dex_files 1\n");
		assert_int_equal(f.result, 0);
		end(&f);
	}
}

static void meta_info_is_pairs(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add(&f.bytes, "key\0value\0clockid\0monotonic\0", 28);
	assert_string_equal(dump(&f, HEADER_SIMPLEPERF_META_INFO, false),
			    "SIMPLEPERF_META_INFO  bytes 28\n"
			    "    pairs:\n"
			    "        key \"key\" value \"value\"\n"
			    "        key \"clockid\" value \"monotonic\"\n");
	end(&f);
}

static void debug_unwind_lists_the_files_of_the_next_feature(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add(&f.bytes, "\x0a\x07\x0a\x02/x\x10\xac\x02", 9);
	assert_string_equal(dump(&f, HEADER_SIMPLEPERF_DEBUG_UNWIND, true),
			    "SIMPLEPERF_DEBUG_UNWIND  bytes 9\n"
			    "    files:\n"
			    "        path \"/x\" size 300\n");
	end(&f);
	strbuf_adds(&f.bytes, "whatever is in /x");
	assert_string_equal(dump(&f, HEADER_SIMPLEPERF_DEBUG_UNWIND_FILE, false),
			    "SIMPLEPERF_DEBUG_UNWIND_FILE  bytes 17\n");
	end(&f);
}

/* path, type, min_vaddr, two symbols of which one is empty, { file offset } */
static void file_messages_are_decoded_by_number(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add_u32(&f.bytes, 19, true);
	strbuf_add(&f.bytes, "\x0a\x02/x\x10\x02\x18\x80\x20\x22\x02\x08\x05\x22\x00\x32\x02\x08\x07", 19);
	assert_string_equal(
		dump(&f, HEADER_SIMPLEPERF_FILE2, true),
		"SIMPLEPERF_FILE2  bytes 23\n"
		"    files:\n"
		"        path \"/x\" file_type elf min_vaddr 0x1000 symbols 2 file_offset_of_min_vaddr 0x7\n");
	assert_int_equal(f.result, 0);
	end(&f);
}

static void a_branch_list_has_its_binaries(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add(&f.bytes, "\x0a\x02mg\x12\x0a\x0a\x02/x\x12\x02\x61\x62\x1a\x00", 16);
	assert_string_equal(dump(&f, HEADER_SIMPLEPERF_ETM_BRANCH_LIST, false),
			    "SIMPLEPERF_ETM_BRANCH_LIST  bytes 16\n"
			    "    binaries:\n"
			    "        path \"/x\" build_id \"ab\" addresses 1\n");
	assert_int_equal(f.result, 0);
	end(&f);
}

static void records_of_the_init_map_are_counted(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		strbuf_add_u32(&f.bytes, PERF_RECORD_COMM, false);
		strbuf_add_u32(&f.bytes, 16u << 16, false);
		strbuf_add_u64(&f.bytes, 0, false);
	}
	assert_string_equal(dump(&f, HEADER_SIMPLEPERF_INIT_MAP, false),
			    "SIMPLEPERF_INIT_MAP  bytes 48  records 3\n");
	end(&f);
}

/* Cut anywhere, sections are damaged, or end between two entries; a sanitizer sees what is read behind them. */
static void sections_may_end_anywhere(void **state)
{
	struct strbuf whole;

	(void)state;
	strbuf_init(&whole);
	add_files(&whole, false);
	for (unsigned int feature = HEADER_SIMPLEPERF_FILE; feature <= HEADER_SIMPLEPERF_INIT_MAP;
	     feature++) {
		for (size_t size = 0; size < whole.size; size++) {
			struct fixture f = { 0 };

			strbuf_add(&f.bytes, whole.bytes, size);
			(void)dump(&f, feature, false);
			if (feature == HEADER_SIMPLEPERF_FILE && size == 10)
				assert_int_equal(f.result, -1);
			end(&f);
		}
	}
	strbuf_fini(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_have_paths_and_places_in_either_byte_order),
		cmocka_unit_test(meta_info_is_pairs),
		cmocka_unit_test(debug_unwind_lists_the_files_of_the_next_feature),
		cmocka_unit_test(file_messages_are_decoded_by_number),
		cmocka_unit_test(a_branch_list_has_its_binaries),
		cmocka_unit_test(records_of_the_init_map_are_counted),
		cmocka_unit_test(sections_may_end_anywhere),
	};

	return cmocka_run_group_tests_name("report/dump/dump_simpleperf_feature", tests, NULL, NULL);
}
