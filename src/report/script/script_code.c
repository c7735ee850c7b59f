/*
 * A block of code begins where one branch went to and ends where the next came from. find_block() gets its bytes, 16 KiB at
 * most, and add_block() writes one instruction a line; the text says "mismatch" if the block does not end at the branch.
 */
#include "report/script/script_sample.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "format/branch_entry.h"
#include "report/code/x86_instruction.h"
#include "text/safe_text.h"

enum {
	/* Largest block between two branches, as in perf (MAXBB); a longer one is damage. */
	BLOCK_MAX_BYTES = 16384 - X86_INSTRUCTION_MAX_BYTES,
	/* Search this far for a branch that the CPU had not recorded yet. */
	MISSING_BRANCH_BYTES = 128,
	CALL_COLUMN = 30,
};

/* Contiguous code of one file, beginning at `address`. */
struct code {
	uint64_t address;
	const uint8_t *bytes;
	size_t size;
	bool is_64bit;
	uint16_t cpumode;
};

struct listing {
	struct script_writer *writer;
	const struct script_sample *sample;
	bool with_lengths;
	struct symbol function; /* its name was written last; name NULL: none yet */
	unsigned int cycles;
};

static bool has(const struct script_writer *writer, const struct script_sample *sample,
		enum script_field field)
{
	return script_has(&writer->style.fields, &sample->desc->attr, field);
}

/* x86-64, and i386 with its successors. */
static bool is_x86(const struct perf_features *features)
{
	const char *arch = features->arch;

	return arch && (strcmp(arch, "x86_64") == 0 ||
			(strlen(arch) == 4 && arch[0] == 'i' && strcmp(arch + 2, "86") == 0));
}

/* --- the sampled instruction --------------------------------------------------- */

static size_t find_instruction(struct script_writer *writer, const struct script_place *place,
			       const uint8_t **bytes)
{
	bool is_64bit;
	size_t size;

	if (!place->dso || !is_x86(perf_file_features(writer->file)))
		return 0;
	size = recorded_code_at(writer->code, place->dso, place->address, bytes, &is_64bit);
	return size ? x86_instruction_length(*bytes, size, is_64bit) : 0;
}

static void add_sampled(struct script_writer *writer, const struct script_sample *sample)
{
	const uint8_t *bytes = NULL;
	const size_t length = find_instruction(writer, &sample->leaf, &bytes);

	if (has(writer, sample, SCRIPT_INSNLEN))
		strbuf_addf(&writer->out, " ilen: %zu", length);
	if (!has(writer, sample, SCRIPT_INSN) || !length)
		return;
	strbuf_adds(&writer->out, " insn:");
	for (size_t i = 0; i < length; i++)
		strbuf_addf(&writer->out, " %02x", bytes[i]);
}

/* --- code between branches ------------------------------------------------------------ */

static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

static void find_place(const struct listing *listing, struct script_place *place, uint16_t cpumode,
		       uint64_t address)
{
	script_places_find(listing->writer->places, place, listing->sample->sample->pid,
			   listing->sample->state_time_ns, cpumode, address);
}

enum block_status {
	BLOCK_UNKNOWN, /* its code is not available, or it is no block */
	BLOCK_FOUND,
	BLOCK_OF_BOTH, /* one end in the kernel, one in user space: the branch between was filtered out */
};

static enum block_status find_block(const struct listing *listing, struct code *code, uint64_t start,
				    uint64_t end)
{
	struct script_place place;

	if (!start || !end)
		return BLOCK_UNKNOWN;
	if (is_kernel(start) != is_kernel(end))
		return BLOCK_OF_BOTH;
	if (end - start > BLOCK_MAX_BYTES)
		return BLOCK_UNKNOWN;
	*code = (struct code){ .address = start,
			       .cpumode =
				       is_kernel(start) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER };
	find_place(listing, &place, code->cpumode, start);
	if (place.dso && is_x86(perf_file_features(listing->writer->file)))
		code->size = recorded_code_at(listing->writer->code, place.dso, place.address, &code->bytes,
					      &code->is_64bit);
	if (code->size > end - start + X86_INSTRUCTION_MAX_BYTES)
		code->size = (size_t)(end - start) + X86_INSTRUCTION_MAX_BYTES;
	if (code->size)
		recorded_code_need(listing->writer->code, place.dso, place.address, code->size);
	return code->size ? BLOCK_FOUND : BLOCK_UNKNOWN;
}

/* Writes a line with the function's name when code enters another function. */
static void add_function(struct listing *listing, const struct code *code, uint64_t address)
{
	struct strbuf *out = &listing->writer->out;
	struct script_place place;

	find_place(listing, &place, code->cpumode, address);
	if ((listing->function.name && place.address >= listing->function.start &&
	     place.address < listing->function.end) ||
	    !place.has_symbol)
		return;
	strbuf_addc(out, '\t');
	safe_text_add(out, place.symbol.name);
	if (place.address != place.symbol.start)
		strbuf_addf(out, "%+d", (int)(place.address - place.symbol.start));
	strbuf_adds(out, ":\n");
	listing->function = place.symbol;
}

/* Writes the instruction's bytes. Returns its length, 0 if invalid. */
static size_t add_instruction(struct listing *listing, const struct code *code, size_t offset)
{
	struct strbuf *out = &listing->writer->out;
	const size_t length =
		x86_instruction_length(code->bytes + offset, code->size - offset, code->is_64bit);

	strbuf_addf(out, "\t%016" PRIx64 "\t", code->address + offset);
	if (!length)
		strbuf_adds(out, "<bad>");
	else
		strbuf_adds(out, "insn: ");
	for (size_t i = 0; i < length; i++)
		strbuf_addf(out, "%02x ", code->bytes[offset + i]);
	return length;
}

static size_t add_line(struct listing *listing, const struct code *code, size_t offset)
{
	const size_t length = add_instruction(listing, code, offset);

	if (listing->with_lengths)
		strbuf_addf(&listing->writer->out, "\tilen: %zu", length);
	strbuf_addc(&listing->writer->out, '\n');
	return length;
}

static void add_count(struct listing *listing, size_t item, unsigned int count)
{
	const struct script_writer *writer = listing->writer;
	struct strbuf *out = &listing->writer->out;

	if (writer->style.counts_in_full) {
		safe_text_add(out, perf_file_event(writer->file, writer->counted.items[item].number)->name);
		strbuf_addf(out, " %u", count);
		return;
	}
	for (unsigned int i = 0; i < count; i++)
		strbuf_addc(out, counted_event_letter(item));
}

/* Writes the events since the previous branch: a letter for each occurrence, or the event's name and the number of them. */
static void add_counts(struct listing *listing, size_t number)
{
	const struct counted_events *events = &listing->writer->counted;
	const bool in_full = listing->writer->style.counts_in_full;
	struct strbuf *out = &listing->writer->out;
	const size_t before = out->size + strlen("\t# br_cntr: ");

	if (!has(listing->writer, listing->sample, SCRIPT_BRCNTR)) {
		strbuf_addc(out, '#');
		return;
	}
	strbuf_adds(out, "\t# br_cntr: ");
	for (size_t item = 0; item < events->count; item++) {
		unsigned int count;
		bool may_be_more;

		if (!counted_events_read(events, item, listing->sample->sample, listing->sample->desc->leader,
					 number, &count, &may_be_more))
			continue;
		add_count(listing, item, count);
		strbuf_adds(out, may_be_more ? "+" : "");
		strbuf_adds(out, in_full ? " " : "");
	}
	strbuf_adds(out, out->size == before ? "- " : " ");
}

/* `instructions`: the number of instructions in its block, itself included; 0: unknown. */
static void add_branch(struct listing *listing, const struct code *code, size_t offset, size_t number,
		       size_t instructions)
{
	const struct branch_entry entry = sample_branch(listing->sample->sample, number), *branch = &entry;
	struct strbuf *out = &listing->writer->out;
	const size_t text = out->size + strlen("\t0123456789abcdef\t");
	const size_t length = add_instruction(listing, code, offset);
	const size_t width = out->size - text;

	strbuf_addf(out, "%*s\t", width < CALL_COLUMN ? CALL_COLUMN - (int)width : 0, "");
	if (listing->with_lengths)
		strbuf_addf(out, "ilen: %zu\t", length);
	add_counts(listing, number);
	strbuf_addf(out, "%s%s%s%s", branch->predicted ? " PRED" : "", branch->mispredicted ? " MISPRED" : "",
		    branch->in_transaction ? " INTX" : "", branch->transaction_abort ? " ABORT" : "");
	if (branch->cycles) {
		listing->cycles += branch->cycles;
		strbuf_addf(out, " %u cycles [%u]", branch->cycles, listing->cycles);
		if (instructions)
			strbuf_addf(out, " %.2f IPC", (double)((float)instructions / (float)branch->cycles));
	}
	strbuf_addc(out, '\n');
}

/* Writes the instructions from the target of one branch to the source of the next. */
static void add_block(struct listing *listing, const struct code *code, size_t number)
{
	const uint64_t end = sample_branch(listing->sample->sample, number).from;
	size_t offset = 0, instructions = 0, length;

	for (; offset < code->size; offset += length) {
		const uint64_t address = code->address + offset;

		add_function(listing, code, address);
		if (address == end) {
			add_branch(listing, code, offset, number, ++instructions);
			break;
		}
		length = add_line(listing, code, offset);
		if (!length)
			break;
		instructions++;
	}
	if (offset != end - code->address)
		strbuf_adds(&listing->writer->out, "\tmismatch of LBR data and executable\n");
}

static void add_blocks(struct listing *listing)
{
	const struct sample *s = listing->sample->sample;
	size_t number = s->branch_count - 1; /* the last is the oldest */
	struct code code;

	while (number-- > 0) {
		const uint64_t start = sample_branch(s, number + 1).to;
		enum block_status status = find_block(listing, &code, start, sample_branch(s, number).from);

		if (status == BLOCK_OF_BOTH && number > 0)
			status = find_block(listing, &code, start, sample_branch(s, --number).from);
		if (status == BLOCK_FOUND)
			add_block(listing, &code, number);
	}
}

/* Writes the code from the target of the latest branch to the sample, or to a branch that the CPU had not recorded yet. */
static void add_last_block(struct listing *listing)
{
	const struct script_sample *sample = listing->sample;
	const uint64_t filter = sample->desc->attr.branch_sample_type;
	const bool knows_all = !filter || filter & PERF_SAMPLE_BRANCH_ANY;
	const uint64_t start = sample_branch(sample->sample, 0).to, ip = sample->sample->ip;
	const uint64_t end = ip < start ? start + MISSING_BRANCH_BYTES : ip;
	struct code code = { .cpumode = is_kernel(start) ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER };
	const enum block_status status = find_block(listing, &code, start, end);
	size_t length;

	add_function(listing, &code, start);
	if (status != BLOCK_FOUND) {
		if (find_block(listing, &code, ip, ip) == BLOCK_FOUND)
			(void)add_line(listing, &code, 0);
		return;
	}
	for (size_t offset = 0; offset <= end - start && offset < code.size; offset += length) {
		length = add_line(listing, &code, offset);
		if (!length)
			break;
		if (knows_all && start + offset != ip &&
		    x86_instruction_is_branch(code.bytes + offset, length, code.is_64bit)) {
			strbuf_adds(&listing->writer->out, "\t... not reaching sample ...\n");
			break;
		}
	}
}

static void add_branches(struct script_writer *writer, const struct script_sample *sample)
{
	const struct sample *s = sample->sample;
	struct listing listing = { .writer = writer,
				   .sample = sample,
				   .with_lengths = has(writer, sample, SCRIPT_BRSTACKINSNLEN) };
	struct branch_entry first, last;
	struct code code;

	if (s->branch_count == 0)
		return;
	strbuf_addc(&writer->out, '\n');
	first = sample_branch(s, s->branch_count - 1);
	if (find_block(&listing, &code, first.from, first.from) == BLOCK_FOUND) {
		add_function(&listing, &code, first.from);
		add_branch(&listing, &code, 0, s->branch_count - 1, 0);
	}
	add_blocks(&listing);
	last = sample_branch(s, 0);
	/* Otherwise the sample is the branch itself, or code that an aborted transaction would have executed. */
	if (last.from != s->ip && !last.transaction_abort)
		add_last_block(&listing);
}

void script_code_add(struct script_writer *writer, const struct script_sample *sample)
{
	if (has(writer, sample, SCRIPT_INSN) || has(writer, sample, SCRIPT_INSNLEN))
		add_sampled(writer, sample);
	if (has(writer, sample, SCRIPT_BRSTACKINSN) || has(writer, sample, SCRIPT_BRSTACKINSNLEN))
		add_branches(writer, sample);
}
