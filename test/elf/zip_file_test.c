#include "elf/zip_file.h"

#include <string.h>

#include "base/strbuf.h"
#include "support/cmocka.h"
#include "support/memory_file.h"

struct stored {
	const char *name, *bytes;
	uint16_t method;
};

static const struct stored contents[] = {
	{ "classes.dex", "dex\n035", 0 },
	{ "lib/arm64-v8a/liba.so",
	  "\x7f"
	  "ELF a",
	  0 },
	{ "lib/arm64-v8a/libpacked.so",
	  "\x7f"
	  "ELF packed",
	  8 },
	{ "lib/arm64-v8a/libb.so",
	  "\x7f"
	  "ELF b, longer",
	  0 },
};
enum { COUNT = sizeof(contents) / sizeof(*contents) };

static void add_u16(struct strbuf *out, uint16_t value)
{
	strbuf_add(out, (const char[]){ (char)value, (char)(value >> 8) }, 2);
}

static void add_u32(struct strbuf *out, uint32_t value)
{
	add_u16(out, (uint16_t)value);
	add_u16(out, (uint16_t)(value >> 16));
}

/* The fields that local headers and the directory share: version, flags, method, time, CRC, sizes, length of the name. */
static void add_common(struct strbuf *out, const struct stored *file)
{
	add_u16(out, 20);
	add_u16(out, 0);
	add_u16(out, file->method);
	add_u32(out, 0);
	add_u32(out, 0);
	add_u32(out, (uint32_t)strlen(file->bytes));
	add_u32(out, (uint32_t)strlen(file->bytes));
	add_u16(out, (uint16_t)strlen(file->name));
}

static void build(struct strbuf *out, uint32_t offsets[static COUNT])
{
	uint32_t directory;

	strbuf_init(out);
	for (size_t i = 0; i < COUNT; i++) {
		offsets[i] = (uint32_t)out->size;
		add_u32(out, 0x04034b50);
		add_common(out, &contents[i]);
		add_u16(out, 3); /* an extra field as from zipalign, absent in the directory */
		strbuf_adds(out, contents[i].name);
		strbuf_add(out, "\0\0\0", 3);
		strbuf_adds(out, contents[i].bytes);
	}
	directory = (uint32_t)out->size;
	for (size_t i = 0; i < COUNT; i++) {
		add_u32(out, 0x02014b50);
		add_u16(out, 20);
		add_common(out, &contents[i]);
		for (int field = 0; field < 4; field++)
			add_u16(out, 0);
		add_u32(out, 0);
		add_u32(out, offsets[i]);
		strbuf_adds(out, contents[i].name);
	}
	add_u32(out, 0x06054b50);
	add_u32(out, 0);
	add_u32(out, COUNT << 16 | COUNT);
	add_u32(out, (uint32_t)out->size - directory);
	add_u32(out, directory);
	add_u16(out, 7);
	strbuf_adds(out, "comment");
}

static struct zip_file *open_bytes(const void *bytes, size_t size, struct error *err)
{
	struct memory_file file;
	struct zip_file *zip;

	memory_file_create(&file, bytes, size);
	zip = zip_file_open(file.path, err);
	memory_file_close(&file);
	return zip;
}

static void stored_elf_files_are_found_by_name_and_offset(void **state)
{
	uint32_t offsets[COUNT];
	const struct zip_entry *entry;
	struct zip_file *zip;
	struct strbuf bytes;

	(void)state;
	build(&bytes, offsets);
	zip = open_bytes(bytes.bytes, bytes.size, NULL);
	assert_non_null(zip);
	entry = zip_file_find(zip, "lib/arm64-v8a/libb.so");
	assert_non_null(entry);
	assert_int_equal(entry->size, strlen(contents[3].bytes));
	assert_memory_equal(zip_entry_bytes(zip, entry), contents[3].bytes, entry->size);
	assert_true(entry->file_offset == offsets[3] + 30 + strlen(entry->name) + 3);
	assert_ptr_equal(zip_file_at(zip, entry->file_offset), entry);
	assert_ptr_equal(zip_file_at(zip, entry->file_offset + entry->size - 1), entry);
	assert_null(zip_file_at(zip, entry->file_offset + entry->size));
	assert_null(zip_file_find(zip, "lib/arm64-v8a/libpacked.so"));
	assert_null(zip_file_find(zip, "classes.dex"));
	zip_file_close(zip);
	strbuf_fini(&bytes);
}

/* Cut entries are not found, and nothing behind the end is read. */
static void damaged_files_have_less(void **state)
{
	uint32_t offsets[COUNT];
	struct strbuf bytes;
	struct error err;

	(void)state;
	build(&bytes, offsets);
	for (size_t at = 0; at < bytes.size; at++) {
		struct zip_file *zip;
		char kept = bytes.bytes[at];

		bytes.bytes[at] = (char)0xff;
		zip = open_bytes(bytes.bytes, bytes.size, NULL);
		if (zip && zip_file_find(zip, "lib/arm64-v8a/liba.so"))
			assert_memory_equal(zip_entry_bytes(zip, zip_file_find(zip, "lib/arm64-v8a/liba.so")),
					    "\x7f"
					    "ELF",
					    4);
		zip_file_close(zip);
		bytes.bytes[at] = kept;
	}
	assert_null(open_bytes(bytes.bytes, 100, &err));
	assert_ptr_equal(strstr(err.message, "/proc/self/fd/"), err.message);
	assert_non_null(strstr(err.message, " is not a ZIP file"));
	strbuf_fini(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_elf_files_are_found_by_name_and_offset),
		cmocka_unit_test(damaged_files_have_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
