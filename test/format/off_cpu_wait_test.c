#include "format/off_cpu_wait.h"

#include <string.h>

#include "support/cmocka.h"

static const uint64_t chain[] = { (uint64_t)-128, 0xffffffff81000010, (uint64_t)-512, 0x401000 };

static const uint64_t further_chain[] = { (uint64_t)-512, 0x402000 };

static struct off_cpu_wait example(bool swap)
{
	return (struct off_cpu_wait){
		.state = OFF_CPU_DISK,
		.kind = OFF_CPU_KIND_PIPE,
		.flags = OFF_CPU_UNFINISHED,
		.syscall = -1,
		.begin_ns = 1,
		.blocked_ns = UINT64_C(0x1122334455667788),
		.waiting_ns = 3,
		.wakers = { { .kind = OFF_CPU_WAKER_THREAD,
			      .is_cut = true,
			      .pid = 4711,
			      .tid = 4712,
			      .comm = "writer",
			      .chain = (const uint8_t *)chain,
			      .chain_count = 4 },
			    { .kind = OFF_CPU_WAKER_THREAD,
			      .pid = 4711,
			      .tid = 4713,
			      .comm = "parser",
			      .woken_ns = 77,
			      .chain = (const uint8_t *)further_chain,
			      .chain_count = 2 },
			    { .kind = OFF_CPU_WAKER_TIMER, .is_cut = true, .woken_ns = 76 } },
		.further_count = 2,
		.swap = swap,
	};
}

/* The example, written to `raw` and read from it. The caller has to strbuf_fini(raw), after its last use of the result. */
static struct off_cpu_wait read_back(struct strbuf *raw)
{
	const struct off_cpu_wait wait = example(false);
	struct off_cpu_wait read;
	struct error err;

	strbuf_init(raw);
	off_cpu_wait_encode(&wait, raw);
	assert_int_equal(off_cpu_wait_decode(&read, raw->bytes, raw->size, false, &err), 0);
	return read;
}

static void what_is_written_is_read_again(void **state)
{
	struct strbuf raw;
	const struct off_cpu_wait read = read_back(&raw);

	(void)state;
	assert_int_equal(read.state, OFF_CPU_DISK);
	assert_int_equal(read.kind, OFF_CPU_KIND_PIPE);
	assert_int_equal(read.flags, OFF_CPU_UNFINISHED);
	assert_int_equal(read.wakers[0].kind, OFF_CPU_WAKER_THREAD);
	assert_true(read.wakers[0].is_cut);
	assert_int_equal(read.syscall, -1);
	assert_int_equal(read.wakers[0].pid, 4711);
	assert_int_equal(read.wakers[0].tid, 4712);
	assert_string_equal(read.wakers[0].comm, "writer");
	assert_true(read.begin_ns == 1 && read.waiting_ns == 3);
	assert_true(read.blocked_ns == UINT64_C(0x1122334455667788));
	assert_int_equal(read.wakers[0].chain_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_true(off_cpu_wait_chain_word(&read, &read.wakers[0], i) == chain[i]);
	strbuf_fini(&raw);
}

static void so_are_the_wakers_of_the_waker(void **state)
{
	struct strbuf raw;
	const struct off_cpu_wait read = read_back(&raw);

	(void)state;
	assert_int_equal(read.further_count, 2);
	assert_int_equal(read.wakers[1].tid, 4713);
	assert_string_equal(read.wakers[1].comm, "parser");
	assert_int_equal(read.wakers[1].woken_ns, 77);
	assert_false(read.wakers[1].is_cut);
	assert_int_equal(read.wakers[1].chain_count, 2);
	assert_true(off_cpu_wait_chain_word(&read, &read.wakers[1], 1) == 0x402000);
	assert_int_equal(read.wakers[2].kind, OFF_CPU_WAKER_TIMER);
	assert_true(read.wakers[2].is_cut);
	strbuf_fini(&raw);
}

/* From before recordings had the wakers of wakers. */
static void data_without_further_wakers_is_read(void **state)
{
	const struct off_cpu_wait wait = example(false);
	const uint16_t fixed_bytes = 64;
	struct off_cpu_wait read;
	struct error err;
	struct strbuf raw, earlier;

	(void)state;
	strbuf_init(&raw);
	strbuf_init(&earlier);
	off_cpu_wait_encode(&wait, &raw);
	strbuf_add(&earlier, raw.bytes, 64);
	strbuf_add(&earlier, raw.bytes + 68, 32);
	memcpy(earlier.bytes + 2, &fixed_bytes, sizeof(fixed_bytes));
	assert_int_equal(off_cpu_wait_decode(&read, earlier.bytes, earlier.size, false, &err), 0);
	assert_int_equal(read.further_count, 0);
	assert_true(off_cpu_wait_chain_word(&read, &read.wakers[0], 3) == 0x401000);
	strbuf_fini(&raw);
	strbuf_fini(&earlier);
}

static void more_wakers_than_a_chain_has_are_an_error(void **state)
{
	const struct off_cpu_wait wait = example(false);
	const uint32_t count = OFF_CPU_CHAIN_WAKERS;
	struct off_cpu_wait read;
	struct error err;
	struct strbuf raw;

	(void)state;
	strbuf_init(&raw);
	off_cpu_wait_encode(&wait, &raw);
	strbuf_add_zeros(&raw, 1024);
	memcpy(raw.bytes + 64, &count, sizeof(count));
	assert_int_equal(off_cpu_wait_decode(&read, raw.bytes, raw.size, false, &err), -1);
	strbuf_fini(&raw);
}

static void the_other_byte_order_is_read(void **state)
{
	struct off_cpu_wait wait = example(true), read;
	struct error err;
	struct strbuf raw;

	(void)state;
	wait.wakers[0].chain_count = wait.wakers[1].chain_count = 0;
	strbuf_init(&raw);
	off_cpu_wait_encode(&wait, &raw);
	assert_int_equal(raw.bytes[0], 0);
	assert_int_equal(raw.bytes[1], 1);
	assert_int_equal(off_cpu_wait_decode(&read, raw.bytes, raw.size, true, &err), 0);
	assert_int_equal(read.wakers[0].pid, 4711);
	assert_int_equal(read.wakers[1].woken_ns, 77);
	assert_true(read.blocked_ns == UINT64_C(0x1122334455667788));
	strbuf_fini(&raw);
}

static void the_sample_goes_on_at_a_multiple_of_eight_bytes(void **state)
{
	(void)state;
	for (size_t frames = 0; frames <= 4; frames++) {
		struct off_cpu_wait wait = example(false);
		struct strbuf raw;

		wait.wakers[0].chain_count = frames;
		strbuf_init(&raw);
		off_cpu_wait_encode(&wait, &raw);
		assert_int_equal((sizeof(uint32_t) + raw.size) % 8, 0);
		strbuf_fini(&raw);
	}
}

static void every_cut_is_an_error(void **state)
{
	const struct off_cpu_wait wait = example(false);
	struct strbuf raw;

	(void)state;
	strbuf_init(&raw);
	off_cpu_wait_encode(&wait, &raw);
	/* the padding may be missing */
	for (size_t size = 0; size < raw.size - 3; size++) {
		struct off_cpu_wait read;
		struct error err;

		assert_int_equal(off_cpu_wait_decode(&read, raw.bytes, size, false, &err), -1);
		assert_int_equal(read.wakers[0].chain_count, 0);
	}
	strbuf_fini(&raw);
}

static void a_chain_longer_than_the_data_is_an_error(void **state)
{
	struct off_cpu_wait wait = example(false), read;
	const uint32_t count = 0x20000001; /* times eight, this overflows 32 bits */
	struct error err;
	struct strbuf raw;

	(void)state;
	strbuf_init(&raw);
	off_cpu_wait_encode(&wait, &raw);
	memcpy(raw.bytes + 60, &count, sizeof(count));
	assert_int_equal(off_cpu_wait_decode(&read, raw.bytes, raw.size, false, &err), -1);
	strbuf_fini(&raw);
}

static void fields_of_later_versions_are_stepped_over(void **state)
{
	struct off_cpu_wait wait = example(false), read;
	const uint16_t version = 2, fixed_bytes = 68 + 8;
	struct error err;
	struct strbuf raw, later;

	(void)state;
	strbuf_init(&raw);
	strbuf_init(&later);
	off_cpu_wait_encode(&wait, &raw);
	strbuf_add(&later, raw.bytes, 68);
	strbuf_add(&later, "laterlat", 8);
	strbuf_add(&later, raw.bytes + 68, raw.size - 68);
	memcpy(later.bytes, &version, sizeof(version));
	memcpy(later.bytes + 2, &fixed_bytes, sizeof(fixed_bytes));
	assert_int_equal(off_cpu_wait_decode(&read, later.bytes, later.size, false, &err), 0);
	assert_true(off_cpu_wait_chain_word(&read, &read.wakers[0], 3) == 0x401000);
	strbuf_fini(&raw);
	strbuf_fini(&later);
}

static void numbers_that_are_not_known_are_unknown(void **state)
{
	struct off_cpu_wait wait = example(false), read;
	struct error err;
	struct strbuf raw;

	(void)state;
	strbuf_init(&raw);
	off_cpu_wait_encode(&wait, &raw);
	memset(raw.bytes + 4, 0xee, 3);
	assert_int_equal(off_cpu_wait_decode(&read, raw.bytes, raw.size, false, &err), 0);
	assert_int_equal(read.state, OFF_CPU_UNKNOWN);
	assert_int_equal(read.kind, OFF_CPU_KIND_UNKNOWN);
	assert_int_equal(read.wakers[0].kind, OFF_CPU_WAKER_UNKNOWN);
	strbuf_fini(&raw);
}

static void everything_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < OFF_CPU_STATES; i++)
		assert_non_null(off_cpu_state_name((enum off_cpu_state)i));
	for (int i = 0; i < OFF_CPU_KINDS; i++)
		assert_non_null(off_cpu_kind_name((enum off_cpu_kind)i));
	for (int i = 0; i < OFF_CPU_WAKERS; i++)
		assert_non_null(off_cpu_waker_name((enum off_cpu_waker)i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_again),
		cmocka_unit_test(so_are_the_wakers_of_the_waker),
		cmocka_unit_test(data_without_further_wakers_is_read),
		cmocka_unit_test(more_wakers_than_a_chain_has_are_an_error),
		cmocka_unit_test(the_other_byte_order_is_read),
		cmocka_unit_test(the_sample_goes_on_at_a_multiple_of_eight_bytes),
		cmocka_unit_test(every_cut_is_an_error),
		cmocka_unit_test(a_chain_longer_than_the_data_is_an_error),
		cmocka_unit_test(fields_of_later_versions_are_stepped_over),
		cmocka_unit_test(numbers_that_are_not_known_are_unknown),
		cmocka_unit_test(everything_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
