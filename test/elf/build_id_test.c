#include "elf/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "support/cmocka.h"
#include "support/elf_builder.h"

static const uint8_t twenty[20] = { 0x93, 0xac, 0x61, 0xec, 0x5a, 0x8e, 0xb1, 0x39, 0x6f, 0xbd,
				    0x35, 0x0f, 0xe3, 0x16, 0x9a, 0x55, 0x85, 0x28, 0xa4, 0x0f };
static const char twenty_hex[] = "93ac61ec5a8eb1396fbd350fe3169a558528a40f";

static void add_note(struct strbuf *notes, uint32_t type, const char *name, const void *bytes, uint32_t size,
		     size_t alignment, bool swap)
{
	size_t name_size = strlen(name) + 1;

	strbuf_add_u32(notes, (uint32_t)name_size, swap);
	strbuf_add_u32(notes, size, swap);
	strbuf_add_u32(notes, type, swap);
	strbuf_add(notes, name, name_size);
	strbuf_add_zeros(notes, -notes->size % alignment);
	strbuf_add(notes, bytes, size);
	strbuf_add_zeros(notes, -notes->size % alignment);
}

static void hexadecimal_text_is_parsed_and_written_back(void **state)
{
	struct build_id id;
	char hex[BUILD_ID_HEX_SIZE];

	(void)state;
	assert_int_equal(build_id_parse(&id, "93AC61ec", NULL), 0);
	assert_int_equal(id.size, 4);
	assert_string_equal(build_id_hex(&id, hex), "93ac61ec");
	assert_int_equal(build_id_parse(&id, "", NULL), 0);
	assert_int_equal(id.size, 0);
	assert_string_equal(build_id_hex(&id, hex), "");
	assert_int_equal(build_id_parse(&id, twenty_hex, NULL), 0);
	assert_memory_equal(id.bytes, twenty, sizeof(twenty));
}

static void text_that_is_no_build_id_is_refused(void **state)
{
	struct build_id id;
	struct error err;

	(void)state;
	assert_int_equal(build_id_parse(&id, "93a", &err), -1);
	assert_int_equal(build_id_parse(&id, "93ag", &err), -1);
	assert_string_equal(err.message, "'93ag' is not a build-id: 'g' is not a hexadecimal digit");
	assert_int_equal(build_id_parse(&id, "93ac61ec5a8eb1396fbd350fe3169a558528a40f00", &err), -1);
}

static void build_ids_of_different_sizes_differ(void **state)
{
	struct build_id a = { .bytes = { 1, 2 }, .size = 2 }, b = { .bytes = { 1, 2, 0 }, .size = 3 };

	(void)state;
	assert_true(build_id_equal(&a, &a));
	assert_false(build_id_equal(&a, &b));
}

static void recorded_build_id_may_be_filled_up_with_zeros(void **state)
{
	struct build_id found = { .bytes = { 1, 2 }, .size = 2 }, none = { .size = 0 };
	struct build_id filled = { .bytes = { 1, 2 }, .size = 20 },
			other = { .bytes = { 1, 2, 3 }, .size = 20 };

	(void)state;
	assert_true(build_id_is_recorded(&found, &found));
	assert_true(build_id_is_recorded(&filled, &found));
	assert_false(build_id_is_recorded(&other, &found));
	assert_false(build_id_is_recorded(&found, &filled));
	assert_true(build_id_is_recorded(&none, &found));
	assert_false(build_id_is_recorded(&found, &none));
}

static void build_id_is_found_behind_other_notes(void **state)
{
	struct strbuf notes;
	struct build_id id;

	(void)state;
	strbuf_init(&notes);
	add_note(&notes, NT_GNU_ABI_TAG, "GNU", "0123456789abcde", 16, 4, false);
	add_note(&notes, NT_GNU_BUILD_ID, "stapsdt", "xyz", 3, 4, false); /* type 3 of another owner */
	add_note(&notes, NT_GNU_BUILD_ID, "GNU", twenty, 20, 4, false);
	assert_int_equal(build_id_from_notes(&id, notes.bytes, notes.size, false, 4), 0);
	assert_int_equal(id.size, 20);
	assert_memory_equal(id.bytes, twenty, 20);
	strbuf_fini(&notes);
}

static void notes_of_the_other_byte_order_are_read(void **state)
{
	struct strbuf notes;
	struct build_id id;

	(void)state;
	strbuf_init(&notes);
	add_note(&notes, NT_GNU_BUILD_ID, "GNU", twenty, 8, 4, true);
	assert_int_equal(build_id_from_notes(&id, notes.bytes, notes.size, true, 4), 0);
	assert_int_equal(id.size, 8);
	assert_int_equal(build_id_from_notes(&id, notes.bytes, notes.size, false, 4), 1);
	strbuf_fini(&notes);
}

static void notes_aligned_to_8_are_stepped_over_by_8(void **state)
{
	struct strbuf notes;
	struct build_id id;

	(void)state;
	strbuf_init(&notes);
	add_note(&notes, NT_GNU_PROPERTY_TYPE_0, "GNU", "0123456789ab", 12, 8,
		 false); /* 4 bytes of padding */
	add_note(&notes, NT_GNU_BUILD_ID, "GNU", twenty, 16, 8, false);
	assert_int_equal(build_id_from_notes(&id, notes.bytes, notes.size, false, 8), 0);
	assert_int_equal(id.size, 16);
	strbuf_fini(&notes);
}

static void damaged_notes_hold_no_build_id(void **state)
{
	struct strbuf notes;
	struct build_id id;

	(void)state;
	strbuf_init(&notes);
	strbuf_add_u32(&notes, 0xfffffffc, false); /* a name of 4 GiB */
	strbuf_add_u32(&notes, 0xffffffff, false);
	strbuf_add_u32(&notes, NT_GNU_BUILD_ID, false);
	assert_int_equal(build_id_from_notes(&id, notes.bytes, notes.size, false, 4), 1);
	strbuf_reset(&notes);
	add_note(&notes, NT_GNU_BUILD_ID, "GNU", "0123456789012345678901234567890123456789", 40, 4, false);
	assert_int_equal(build_id_from_notes(&id, notes.bytes, notes.size, false, 4), 1);
	assert_int_equal(id.size, 0);
	strbuf_reset(&notes);
	add_note(&notes, NT_GNU_BUILD_ID, "GNU", twenty, 20, 4, false);
	for (size_t size = 0; size < notes.size; size++)
		assert_int_equal(build_id_from_notes(&id, notes.bytes, size, false, 4), 1);
	strbuf_fini(&notes);
}

/* Writes a file and its name to `path`. The caller removes the file. */
static void write_file(char path[32], const void *bytes, size_t size)
{
	int fd;

	memcpy(path, "/tmp/build_id_test.XXXXXX", sizeof("/tmp/build_id_test.XXXXXX"));
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), (ssize_t)size);
	close(fd);
}

/* Calls build_id_read_file() for the built file and releases the builder. */
static int read_built(struct elf_builder *builder, struct build_id *id)
{
	size_t size;
	uint8_t *bytes = elf_builder_finish(builder, &size);
	char path[32];
	int result;

	write_file(path, bytes, size);
	result = build_id_read_file(id, path, NULL);
	unlink(path);
	free(bytes);
	elf_builder_fini(builder);
	return result;
}

static void file_is_read_whatever_its_class_and_byte_order(void **state)
{
	(void)state;
	for (int variant = 0; variant < 4; variant++) {
		struct elf_builder builder;
		struct build_id id;

		elf_builder_init(&builder, variant & 1, variant & 2, ET_DYN, EM_X86_64);
		elf_builder_build_id(&builder, twenty, 20);
		assert_int_equal(read_built(&builder, &id), 0);
		assert_int_equal(id.size, 20);
		assert_memory_equal(id.bytes, twenty, 20);
	}
}

static void notes_behind_the_first_page_are_read(void **state)
{
	struct elf_builder builder;
	struct build_id id;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	strbuf_add_zeros(&builder.contents, 100000);
	elf_builder_build_id(&builder, twenty, 20);
	assert_int_equal(read_built(&builder, &id), 0);
	assert_memory_equal(id.bytes, twenty, 20);
}

/* Kernel modules have no segments. */
static void note_section_counts_where_there_is_no_segment(void **state)
{
	struct elf_builder builder;
	struct build_id id;

	(void)state;
	elf_builder_init(&builder, true, false, ET_REL, EM_X86_64);
	elf_builder_build_id(&builder, twenty, 20);
	builder.segment_count = 0;
	assert_int_equal(read_built(&builder, &id), 0);
	assert_memory_equal(id.bytes, twenty, 20);
}

static void file_without_build_id_is_no_error(void **state)
{
	struct elf_builder builder;
	struct build_id id;

	(void)state;
	elf_builder_init(&builder, true, false, ET_DYN, EM_X86_64);
	assert_int_equal(read_built(&builder, &id), 1);
	assert_int_equal(id.size, 0);
}

static void what_is_no_elf_file_says_so(void **state)
{
	struct build_id id;
	struct error err;
	char path[32], expected[128];

	(void)state;
	assert_int_equal(build_id_read_file(&id, "/proc/nonexistent/x", &err), -1);
	assert_string_equal(err.message, "cannot open /proc/nonexistent/x: No such file or directory");
	assert_int_equal(build_id_read_file(&id, "/tmp", &err), -1);
	assert_string_equal(err.message, "/tmp is not a regular file");
	write_file(path, "just some text, long enough", 27);
	assert_int_equal(build_id_read_file(&id, path, &err), -1);
	snprintf(expected, sizeof(expected), "%s is not an ELF file", path);
	assert_string_equal(err.message, expected);
	unlink(path);
}

static void fifo_does_not_hang(void **state)
{
	struct build_id id;
	char path[32];

	(void)state;
	write_file(path, "", 0);
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(build_id_read_file(&id, path, NULL), -1);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hexadecimal_text_is_parsed_and_written_back),
		cmocka_unit_test(text_that_is_no_build_id_is_refused),
		cmocka_unit_test(build_ids_of_different_sizes_differ),
		cmocka_unit_test(recorded_build_id_may_be_filled_up_with_zeros),
		cmocka_unit_test(build_id_is_found_behind_other_notes),
		cmocka_unit_test(notes_of_the_other_byte_order_are_read),
		cmocka_unit_test(notes_aligned_to_8_are_stepped_over_by_8),
		cmocka_unit_test(damaged_notes_hold_no_build_id),
		cmocka_unit_test(file_is_read_whatever_its_class_and_byte_order),
		cmocka_unit_test(notes_behind_the_first_page_are_read),
		cmocka_unit_test(note_section_counts_where_there_is_no_segment),
		cmocka_unit_test(file_without_build_id_is_no_error),
		cmocka_unit_test(what_is_no_elf_file_says_so),
		cmocka_unit_test(fifo_does_not_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
