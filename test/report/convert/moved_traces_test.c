#include "report/convert/moved_traces.h"

#include "base/byte_reader.h"
#include "support/cmocka.h"

static void the_index_lists_all_traces_in_either_byte_order(void **state)
{
	(void)state;
	for (int swap = 0; swap < 2; swap++) {
		struct moved_traces traces = { 0 };
		struct byte_reader r;
		struct strbuf out;

		strbuf_init(&out);
		moved_traces_note(&traces, 0x1f40, 4096);
		moved_traces_note(&traces, 0x3000, 64);
		moved_traces_add_index(&traces, &out, swap);
		r = byte_reader_over(out.bytes, out.size, swap);
		assert_int_equal(byte_reader_u64(&r), 2);
		assert_int_equal(byte_reader_u64(&r), 0x1f40);
		assert_int_equal(byte_reader_u64(&r), 4096);
		assert_int_equal(byte_reader_u64(&r), 0x3000);
		assert_int_equal(byte_reader_u64(&r), 64);
		assert_int_equal(byte_reader_left(&r), 0);
		moved_traces_fini(&traces);
		strbuf_fini(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_lists_all_traces_in_either_byte_order),
	};

	return cmocka_run_group_tests_name("report/convert/moved_traces", tests, NULL, NULL);
}
