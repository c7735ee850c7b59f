#include "elf/section_inflate.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "base/strbuf.h"
#include "support/cmocka.h"

static const char text[] = "the same words, the same words, the same words, the same words, the same words";

static void add_chdr(struct strbuf *to, bool is_64bit, bool swap, uint32_t type, uint64_t size)
{
	strbuf_add_u32(to, type, swap);
	if (is_64bit) {
		strbuf_add_u32(to, 0, swap);
		strbuf_add_u64(to, size, swap);
		strbuf_add_u64(to, 1, swap);
	} else {
		strbuf_add_u32(to, (uint32_t)size, swap);
		strbuf_add_u32(to, 1, swap);
	}
}

static void add_deflated(struct strbuf *to)
{
	Bytef bytes[256];
	uLongf size = sizeof(bytes);

	assert_int_equal(compress(bytes, &size, (const Bytef *)text, sizeof(text)), Z_OK);
	strbuf_add(to, bytes, size);
}

static void zlib_section_is_inflated_in_every_class_and_byte_order(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct strbuf section;
		uint8_t *inflated;
		size_t size;

		strbuf_init(&section);
		add_chdr(&section, variant & 1, variant & 2, ELFCOMPRESS_ZLIB, sizeof(text));
		add_deflated(&section);
		inflated = section_inflate_chdr((const uint8_t *)section.bytes, section.size, variant & 1,
						variant & 2, &size, NULL);
		assert_non_null(inflated);
		assert_int_equal(size, sizeof(text));
		assert_string_equal(inflated, text);
		free(inflated);
		strbuf_fini(&section);
	}
}

static void zdebug_section_is_inflated(void **state)
{
	struct strbuf section;
	uint8_t *inflated;
	size_t size;

	(void)state;
	strbuf_init(&section);
	strbuf_adds(&section, "ZLIB");
	strbuf_add_u64(&section, sizeof(text), __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	add_deflated(&section);
	inflated = section_inflate_zdebug((const uint8_t *)section.bytes, section.size, &size, NULL);
	assert_non_null(inflated);
	assert_int_equal(size, sizeof(text));
	assert_string_equal(inflated, text);
	free(inflated);
	strbuf_fini(&section);
}

static void zstd_section_is_inflated(void **state)
{
#ifdef HAVE_LIBZSTD
	char bytes[256];
	size_t compressed = ZSTD_compress(bytes, sizeof(bytes), text, sizeof(text), 1), size;
	struct strbuf section;
	uint8_t *inflated;

	(void)state;
	strbuf_init(&section);
	add_chdr(&section, true, false, 2, sizeof(text));
	strbuf_add(&section, bytes, compressed);
	inflated =
		section_inflate_chdr((const uint8_t *)section.bytes, section.size, true, false, &size, NULL);
	assert_non_null(inflated);
	assert_string_equal(inflated, text);
	free(inflated);
	strbuf_fini(&section);
#else
	(void)state;
	skip();
#endif
}

static void size_that_was_claimed_must_come_out(void **state)
{
	(void)state;
	for (uint64_t claimed = sizeof(text) - 1; claimed <= sizeof(text) + 1; claimed += 2) {
		struct strbuf section;
		struct error err;
		size_t size;

		strbuf_init(&section);
		add_chdr(&section, true, false, ELFCOMPRESS_ZLIB, claimed);
		add_deflated(&section);
		assert_null(section_inflate_chdr((const uint8_t *)section.bytes, section.size, true, false,
						 &size, &err));
		assert_non_null(strstr(err.message, "compressed section is damaged"));
		strbuf_fini(&section);
	}
}

static void absurd_sizes_are_refused_before_anything_is_allocated(void **state)
{
	static const uint64_t absurd[] = { UINT64_MAX, (uint64_t)1 << 40, (uint64_t)1 << 30 };

	(void)state;
	for (size_t i = 0; i < sizeof(absurd) / sizeof(absurd[0]); i++) {
		struct strbuf section;
		struct error err;
		size_t size;

		strbuf_init(&section);
		add_chdr(&section, true, false, ELFCOMPRESS_ZLIB, absurd[i]);
		add_deflated(&section);
		assert_null(section_inflate_chdr((const uint8_t *)section.bytes, section.size, true, false,
						 &size, &err));
		assert_non_null(strstr(err.message, "claim to decompress to"));
		strbuf_fini(&section);
	}
}

static void header_that_is_cut_off_or_unknown_is_refused(void **state)
{
	struct strbuf section;
	struct error err;
	size_t size;

	(void)state;
	strbuf_init(&section);
	add_chdr(&section, true, false, 77, sizeof(text));
	assert_null(
		section_inflate_chdr((const uint8_t *)section.bytes, section.size, true, false, &size, &err));
	assert_string_equal(err.message, "section has unknown compression type 77");
	assert_null(section_inflate_chdr((const uint8_t *)section.bytes, 23, true, false, &size, &err));
	assert_string_equal(err.message, "compressed section is cut off inside of its header");
	assert_null(section_inflate_zdebug((const uint8_t *)"ZLI", 3, &size, &err));
	strbuf_fini(&section);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zlib_section_is_inflated_in_every_class_and_byte_order),
		cmocka_unit_test(zdebug_section_is_inflated),
		cmocka_unit_test(zstd_section_is_inflated),
		cmocka_unit_test(size_that_was_claimed_must_come_out),
		cmocka_unit_test(absurd_sizes_are_refused_before_anything_is_allocated),
		cmocka_unit_test(header_that_is_cut_off_or_unknown_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
