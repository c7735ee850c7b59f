#include "unwind/cfi/fde_index.h"

#include <dwarf.h>
#include <elf.h>

#include "support/cfi_builder.h"
#include "support/cmocka.h"

enum { HIGHEST = 0x9000 };

static struct cfi_builder builder;
static struct strbuf hdr;
static struct fde_index *fde_index;

static int set_up(void **state)
{
	(void)state;
	cfi_builder_init(&builder, EM_X86_64);
	strbuf_init(&hdr);
	fde_index = NULL;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	fde_index_destroy(fde_index);
	strbuf_fini(&hdr);
	cfi_builder_fini(&builder);
	return 0;
}

static void create(void)
{
	const struct cfi_section section = {
		.bytes = (const uint8_t *)builder.frames.bytes,
		.size = builder.frames.size,
		.vaddr = CFI_FRAME,
		.hdr_vaddr = CFI_HDR,
		.is_eh_frame = true,
		.is_64bit = true,
		.swap = builder.swap,
	};

	if (builder.with_hdr)
		cfi_builder_hdr(&builder, &hdr);
	fde_index = fde_index_create(&section, (const uint8_t *)hdr.bytes, hdr.size);
}

/* Dense groups of ranges [start, end), with wide gaps between them. */
static const uint64_t ranges[][2] = {
	{ 0x1000, 0x1001 }, { 0x1001, 0x1002 }, { 0x1002, 0x1003 }, { 0x1003, 0x1004 },
	{ 0x1004, 0x1005 }, { 0x1005, 0x1006 }, { 0x1008, 0x1010 }, { 0x1010, 0x1400 },
	{ 0x1401, 0x1500 }, { 0x2000, 0x2100 }, { 0x7ffe, 0x7fff }, { 0x8000, 0x8800 },
};

enum { RANGE_COUNT = sizeof(ranges) / sizeof(*ranges) };

static void add_ranges(void)
{
	static const uint8_t program[] = { DW_CFA_nop };
	const uint64_t cie = cfi_builder_cie(&builder, program, sizeof(program));

	for (size_t i = 0; i < RANGE_COUNT; i++)
		cfi_builder_fde(&builder, cie, ranges[i][0], ranges[i][1], program, sizeof(program));
}

/* The index of the range with the vaddr; RANGE_COUNT if there is none. */
static uint32_t range_of(uint64_t vaddr)
{
	uint32_t i = 0;

	while (i < RANGE_COUNT && (vaddr < ranges[i][0] || vaddr >= ranges[i][1]))
		i++;
	return i;
}

static void assert_found(uint64_t vaddr)
{
	const uint32_t expected = range_of(vaddr);
	struct cfi_fde fde;
	uint32_t number;
	const int found = fde_index_find(fde_index, vaddr, &number, &fde);

	assert_int_equal(found, expected != RANGE_COUNT);
	if (!found)
		return;
	assert_int_equal(number, expected);
	assert_int_equal(fde.start, ranges[expected][0]);
	assert_int_equal(fde.end, ranges[expected][1]);
}

static void assert_all_found(void)
{
	for (uint64_t vaddr = 0; vaddr < HIGHEST; vaddr++)
		assert_found(vaddr);
	assert_found(UINT64_MAX);
}

static void assert_all_covered(void)
{
	for (uint64_t vaddr = 0; vaddr < HIGHEST; vaddr++)
		assert_int_equal(fde_index_covers(fde_index, vaddr), range_of(vaddr) != RANGE_COUNT);
	assert_false(fde_index_covers(fde_index, UINT64_MAX));
}

static void what_is_looked_up_is_found_however_often(void **state)
{
	(void)state;
	add_ranges();
	create();
	assert_int_equal(fde_index_count(fde_index), RANGE_COUNT);
	assert_all_found();
	assert_all_covered();
	assert_all_found();
}

static void it_is_found_without_the_linkers_table(void **state)
{
	(void)state;
	builder.with_hdr = false;
	add_ranges();
	create();
	assert_all_covered();
	assert_all_found();
}

static void it_is_found_in_the_other_byte_order(void **state)
{
	(void)state;
	builder.swap = true;
	add_ranges();
	create();
	assert_all_covered();
	assert_all_found();
}

/* The binary search still finds other ranges if two starts are swapped. */
static void table_that_is_not_sorted_is_searched_as_it_is(void **state)
{
	(void)state;
	add_ranges();
	builder.fdes[2].start = ranges[9][0];
	builder.fdes[9].start = ranges[2][0];
	create();
	for (int i = 0; i < 2; i++)
		for (uint64_t vaddr = ranges[10][0]; vaddr < ranges[11][1]; vaddr++)
			assert_found(vaddr);
}

static void nothing_covers_without_fdes(void **state)
{
	static const uint8_t program[] = { DW_CFA_nop };

	(void)state;
	(void)cfi_builder_cie(&builder, program, sizeof(program));
	create();
	assert_int_equal(fde_index_count(fde_index), 0);
	assert_false(fde_index_covers(fde_index, 0));
	assert_false(fde_index_covers(fde_index, 0x1000));
}

/*
 * The length of the header before the pairs depends on its encodings: version, 3 encodings, pointer to .eh_frame, number of
 * pairs.
 */
static void the_linkers_table_is_found_behind_any_encodings(void **state)
{
	static const uint8_t pair[] = { 1, 0, 0, 0, 2, 0, 0, 0 };
	static const struct {
		uint8_t encodings[3];
		size_t pointer_bytes, number_bytes;
		bool is_table;
	} headers[] = {
		{ { DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4, 0x3b }, 4, 4, true },
		{ { DW_EH_PE_absptr, DW_EH_PE_udata4, 0x3b }, 8, 4, true },
		{ { DW_EH_PE_udata8, DW_EH_PE_udata2, 0x3b }, 8, 2, true },
		{ { DW_EH_PE_udata4, DW_EH_PE_udata4, DW_EH_PE_absptr }, 4, 4, false },
		{ { DW_EH_PE_udata4, DW_EH_PE_omit, 0x3b }, 4, 0, false },
	};
	const struct cfi_section section = { .hdr_vaddr = CFI_HDR,
					     .is_64bit = true,
					     .swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };

	(void)state;
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++) {
		size_t offset = 0;
		uint32_t count = 0;

		strbuf_reset(&hdr);
		strbuf_addc(&hdr, 1);
		strbuf_add(&hdr, headers[i].encodings, 3);
		strbuf_add_zeros(&hdr, headers[i].pointer_bytes);
		strbuf_addc(&hdr, 2); /* number of pairs: the lowest byte */
		strbuf_add_zeros(&hdr, headers[i].number_bytes ? headers[i].number_bytes - 1 : 0);
		for (int n = 0; n < 3; n++) /* one more than the number says */
			strbuf_add(&hdr, pair, sizeof(pair));
		assert_int_equal(fde_index_find_table(&section, (const uint8_t *)hdr.bytes, hdr.size, &offset,
						      &count),
				 headers[i].is_table);
		if (headers[i].is_table) {
			assert_int_equal(offset, 4 + headers[i].pointer_bytes + headers[i].number_bytes);
			assert_int_equal(count, 2);
		}
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_looked_up_is_found_however_often),
		TEST(it_is_found_without_the_linkers_table),
		TEST(it_is_found_in_the_other_byte_order),
		TEST(table_that_is_not_sorted_is_searched_as_it_is),
		TEST(nothing_covers_without_fdes),
		TEST(the_linkers_table_is_found_behind_any_encodings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
