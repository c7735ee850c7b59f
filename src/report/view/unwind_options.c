#include "report/view/unwind_options.h"

const char *const unwind_choice_names[] = { "auto", "fp", "dwarf", NULL };
const char *const unwind_engine_names[] = { "xprof", "libunwind", NULL };
