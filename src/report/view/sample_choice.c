/* Copies pointers from the parsed options into a filter; the lists stay with the options. */
#include "report/view/sample_choice.h"

struct filter sample_choice_filter(const struct sample_choice *choice)
{
	return (struct filter){
		.comms = choice->comms.items,
		.dsos = choice->dsos.items,
		.symbols = choice->symbols.items,
		.cgroups = choice->cgroups.items,
		.pids = choice->pids.items,
		.pid_count = choice->pids.count,
		.tids = choice->tids.items,
		.tid_count = choice->tids.count,
		.cpus = choice->cpus.items,
		.cpu_count = choice->cpus.count,
	};
}

int sample_choice_set_waits(void *choice, const char *argument, struct error *err)
{
	return wait_choice_parse(choice, argument, err);
}

void sample_choice_fini(struct sample_choice *choice)
{
	text_list_fini(&choice->comms);
	text_list_fini(&choice->dsos);
	text_list_fini(&choice->symbols);
	text_list_fini(&choice->cgroups);
	number_list_fini(&choice->pids);
	number_list_fini(&choice->tids);
	number_list_fini(&choice->cpus);
}
