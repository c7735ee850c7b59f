/* Maps options to bits of attr.sample_type, and parses the names of registers. */
#include "record/event/sample_extras.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "format/register_name.h"
#include "record/event/call_graph.h"

void sample_extras_apply(const struct sample_extras *extras, struct perf_event_attr *attr)
{
	const struct {
		bool wanted;
		uint64_t field;
	} fields[] = {
		{ extras->address, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC },
		{ extras->data_source, PERF_SAMPLE_DATA_SRC },
		{ extras->physical_address, PERF_SAMPLE_PHYS_ADDR },
		{ extras->data_page_size, PERF_SAMPLE_DATA_PAGE_SIZE },
		{ extras->code_page_size, PERF_SAMPLE_CODE_PAGE_SIZE },
		{ extras->weight, PERF_SAMPLE_WEIGHT_STRUCT },
		{ extras->transaction, PERF_SAMPLE_TRANSACTION },
		{ extras->raw, PERF_SAMPLE_RAW },
		{ extras->identifier, PERF_SAMPLE_IDENTIFIER },
		{ extras->cgroup, PERF_SAMPLE_CGROUP },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].wanted)
			attr->sample_type |= fields[i].field;
	if (extras->user_registers && !attr->sample_regs_user) {
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
		attr->sample_regs_user = extras->user_registers;
	}
	if (extras->interrupt_registers) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = extras->interrupt_registers;
	}
}

static int unknown_register(const char *name, size_t length, struct error *err)
{
	const uint64_t known = call_graph_user_regs();
	struct strbuf names = STRBUF_INIT;

	for (unsigned int reg = 0; reg < 64; reg++)
		if (known >> reg & 1)
			strbuf_addf(&names, "%s%s", names.size ? "," : "", register_name(NULL, reg));
	error_set(err, "'%.*s' is not a register of this machine; there are %s", (int)length, name,
		  names.size ? names.bytes : "none that are known");
	strbuf_fini(&names);
	return -1;
}

static uint64_t register_bit(const char *name, size_t length)
{
	for (unsigned int reg = 0; reg < 64; reg++) {
		const char *known = call_graph_user_regs() >> reg & 1 ? register_name(NULL, reg) : NULL;

		if (known && strlen(known) == length && strncasecmp(known, name, length) == 0)
			return UINT64_C(1) << reg;
	}
	return 0;
}

int sample_registers_parse(uint64_t *registers, const char *text, struct error *err)
{
	*registers = 0;
	if (!text || !*text)
		*registers = call_graph_user_regs();
	for (const char *name = text; name && *name;) {
		const size_t length = strcspn(name, ",");
		const uint64_t bit = register_bit(name, length);

		if (!bit)
			return unknown_register(name, length, err);
		*registers |= bit;
		name += length + (name[length] == ',');
	}
	return *registers ? 0 : unknown_register("", 0, err);
}
