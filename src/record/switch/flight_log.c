/* The caller appends records to `current` itself, as they come out of the rings. */
#include "record/switch/flight_log.h"

void flight_log_init(struct flight_log *log)
{
	strbuf_init(&log->older);
	strbuf_init(&log->current);
	log->described_bytes = 0;
}

void flight_log_fini(struct flight_log *log)
{
	strbuf_fini(&log->older);
	strbuf_fini(&log->current);
}

void flight_log_describe(struct flight_log *log, const struct strbuf *description)
{
	strbuf_fini(&log->older);
	log->older = log->current;
	strbuf_init(&log->current);
	strbuf_add(&log->current, description->bytes, description->size);
	log->described_bytes = description->size;
}

struct flight_log_pieces flight_log_pieces(const struct flight_log *log)
{
	const size_t skipped = log->older.size ? log->described_bytes : 0;
	struct flight_log_pieces pieces = { .pieces = { log->older.bytes }, .sizes = { log->older.size } };

	pieces.pieces[1] = log->current.size > skipped ? log->current.bytes + skipped : NULL;
	pieces.sizes[1] = log->current.size - skipped;
	return pieces;
}
