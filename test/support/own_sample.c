#include "support/own_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "record/event/event_attr.h"
#include "record/process/synthesize.h"
#include "support/own_callers.h"
#include "support/own_process.h"

const struct perf_event_attr own_sample_attr = {
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
		       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	.sample_regs_user = 0xff01ff, /* enum perf_event_x86_regs: ax to sp, ip; r8 to r15 */
	.sample_stack_user = 16384,
	.sample_id_all = 1,
};

void own_state_records(struct strbuf *records)
{
	struct build_id_table *files = build_id_table_create();
	struct synthesis synthesis = { .proc = "/proc",
				       .sys = "/sys",
				       .trailer_bytes = event_attr_sample_id_size(&own_sample_attr),
				       .out = records,
				       .files = files };

	synthesize_process(&synthesis, getpid());
	build_id_table_destroy(files);
}

#ifdef __x86_64__

static const int greg_of[] = { REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI,
			       REG_RBP, REG_RSP, REG_RIP, REG_R8,  REG_R9,  REG_R10,
			       REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };
enum { REGISTER_COUNT = sizeof(greg_of) / sizeof(*greg_of), SP = 7, PC = 8 };

bool own_sample_is_possible(void)
{
	return true;
}

static uint64_t end_of_stack(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long end = 0;
	char line[1024];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[stack]"))
			(void)sscanf(line, "%*x-%lx", &end);
	if (maps)
		fclose(maps);
	return end;
}

static void add_chain(struct own_sample *sample, const struct own_sample_plan *plan)
{
	size_t known =
		plan->callers_known < sample->caller_count ? plan->callers_known : sample->caller_count;

	strbuf_add_u64(&sample->record, plan->kernel_count + 2 + known - plan->skipped, false);
	strbuf_add(&sample->record, plan->kernel_frames, 8 * plan->kernel_count);
	strbuf_add_u64(&sample->record, (uint64_t)PERF_CONTEXT_USER, false);
	strbuf_add_u64(&sample->record, sample->pc, false);
	strbuf_add(&sample->record, sample->callers + plan->skipped, 8 * (known - plan->skipped));
}

static void add_dump(struct strbuf *record, uint64_t sp, size_t most_bytes)
{
	uint64_t above = end_of_stack() - sp;
	size_t filled = above < most_bytes ? (size_t)above : most_bytes;
	uint8_t *copy = xcalloc(1, most_bytes + 1);

	own_stack_copy(copy, sp, filled);
	strbuf_add_u64(record, most_bytes, false);
	strbuf_add(record, copy, most_bytes);
	if (most_bytes)
		strbuf_add_u64(record, filled, false);
	free(copy);
}

__attribute__((noinline)) void own_sample_init(struct own_sample *sample, const struct own_sample_plan *plan)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER };
	void *callers[OWN_SAMPLE_CALLERS + 1];
	uint64_t registers[REGISTER_COUNT];
	ucontext_t context;
	uint32_t pid = plan->pid ? plan->pid : (uint32_t)getpid();

	sample->caller_count = (size_t)own_callers(callers, OWN_SAMPLE_CALLERS + 1) - 1;
	for (size_t i = 0; i < sample->caller_count; i++)
		sample->callers[i] = (uintptr_t)callers[i + 1];
	getcontext(&context);
	for (size_t i = 0; i < REGISTER_COUNT; i++)
		registers[i] = (uint64_t)context.uc_mcontext.gregs[greg_of[i]];
	sample->pc = registers[PC];
	strbuf_init(&sample->record);
	strbuf_add(&sample->record, &header, sizeof(header));
	strbuf_add_u64(&sample->record, sample->pc, false);
	strbuf_add_u32(&sample->record, pid, false);
	strbuf_add_u32(&sample->record, pid, false);
	strbuf_add_u64(&sample->record, OWN_SAMPLE_TIME_NS, false);
	add_chain(sample, plan);
	strbuf_add_u64(&sample->record, plan->abi ? plan->abi : PERF_SAMPLE_REGS_ABI_64, false);
	strbuf_add(&sample->record, registers, sizeof(registers));
	add_dump(&sample->record, registers[SP], plan->dump_bytes);
	header.size = (uint16_t)sample->record.size;
	memcpy(sample->record.bytes, &header, sizeof(header));
}

#else

bool own_sample_is_possible(void)
{
	return false;
}

void own_sample_init(struct own_sample *sample, const struct own_sample_plan *plan)
{
	(void)plan;
	*sample = (struct own_sample){ .pc = 0 };
	strbuf_init(&sample->record);
}

#endif

void own_sample_fini(struct own_sample *sample)
{
	strbuf_fini(&sample->record);
}
