/* An archive of arbitrary bytes: opens and queries its list and everything named there, as reports do. */

#include <stddef.h>
#include <stdint.h>

#include "archive/tar_index.h"
#include "support/memory_file.h"
#include "symbol/symbol_archive.h"
#include "symbol/symbolizer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(const struct symbol_archive *archive, const struct symbol_object *object)
{
	const struct symbolizer_options options = { .archive = archive, .demangle = true };
	struct symbolizer *symbolizer = symbolizer_create(&options);
	struct symbol_table *table = symbolizer_table(symbolizer, object);
	const struct source_frame *frames;
	struct symbol symbol;

	for (uint64_t address = 0; address < 0x4000; address += 0x123) {
		(void)symbol_table_find(table, address, &symbol);
		(void)symbol_table_find_source(table, address, &frames);
	}
	symbolizer_destroy(symbolizer);
}

static void use(const struct archive_reader *reader)
{
	struct symbol_archive *archive = symbol_archive_open(reader, NULL);
	struct archive_image image;

	if (!archive)
		return;
	if (archive_reader_map(reader, symbol_archive_recording_file(archive), &image, NULL) == 1)
		archive_image_unmap(&image);
	for (size_t i = 0; i < symbol_archive_count(archive) && i < 16; i++)
		ask(archive, &symbol_archive_at(archive, i)->object);
	symbol_archive_close(archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct archive_reader *reader;
	struct memory_file file;

	memory_file_create(&file, data, size);
	if (archive_reader_open(file.path, SYMBOL_ARCHIVE_LIST, &reader, NULL) == ARCHIVE_OPENED) {
		use(reader);
		archive_reader_close(reader);
	}
	memory_file_close(&file);
	return 0;
}
