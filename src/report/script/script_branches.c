/*
 * Both ends of a branch are written alike, then its flags, in the layout of perf script 6.1. If the CPU
 * recorded how it speculated on a branch, that follows the type, as in later versions of perf (which write
 * "/-" otherwise).
 */
#include "report/script/script_sample.h"

#include <inttypes.h>

#include "format/branch_entry.h"
#include "format/perf_abi.h"
#include "text/branch_type_text.h"

static const char *type_text(const struct branch_entry *branch)
{
	return branch->type == BRANCH_TYPE_EXTENDED ? branch_new_type_text(branch->new_type) :
						      branch_type_text(branch->type);
}

static void add_branch_flags(struct strbuf *out, const struct branch_entry *branch)
{
	strbuf_addf(out, "/%c/%c/%c/%u/%s%s%s ",
		    branch->predicted    ? 'P' :
		    branch->mispredicted ? 'M' :
					   '-',
		    branch->in_transaction ? 'X' : '-', branch->transaction_abort ? 'A' : '-', branch->cycles,
		    type_text(branch), branch->speculation ? "/" : "",
		    branch_speculation_text(branch->speculation));
}

static void add_branch_end(struct script_writer *writer, const struct script_sample *sample,
			   enum branch_form form, uint64_t address)
{
	const struct sample *s = sample->sample;
	const bool with_dso = script_writer_has(writer, &sample->desc->attr, SCRIPT_DSO);
	struct script_place place;

	if (with_dso || form != BRANCH_ADDRESS)
		script_places_find_anywhere(writer->places, &place, s->pid, sample->state_time_ns,
					    s->misc & RECORD_MISC_CPUMODE_MASK, address);
	if (form == BRANCH_SYMBOL)
		script_place_add_symbol(&writer->out, &place, true);
	else
		strbuf_addf(&writer->out, "0x%" PRIx64, form == BRANCH_OFFSET ? place.offset : address);
	if (with_dso)
		script_place_add_dso(&writer->out, &place);
}

void script_branches_add(struct script_writer *writer, const struct script_sample *sample,
			 enum branch_form form)
{
	for (size_t i = 0; i < sample->sample->branch_count; i++) {
		const struct branch_entry branch = sample_branch(sample->sample, i);

		if (form != BRANCH_SYMBOL)
			strbuf_addc(&writer->out, ' ');
		add_branch_end(writer, sample, form, branch.from);
		strbuf_addc(&writer->out, '/');
		add_branch_end(writer, sample, form, branch.to);
		add_branch_flags(&writer->out, &branch);
	}
}
