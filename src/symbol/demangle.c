/*
 * Tries libiberty's demanglers in the order Rust, C++, D, chosen by the prefix of the name. Hostile names can expand to
 * gigabytes, so input and output are bounded: the callback of Rust and C++ leaves by longjmp() at MAX_SHOWN_BYTES, and D,
 * which has no callback, gets short input only.
 */
#include "symbol/demangle.h"

#include <stddef.h>

#ifdef HAVE_LIBIBERTY

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include LIBIBERTY_DEMANGLE_H

#include "base/strbuf.h"

enum {
	/* Heavy template code reaches some 10 KB. */
	MAX_MANGLED_BYTES = 64 * 1024,
	/* The D demangler gives its text only when it is complete, so its input has to be short. */
	MAX_MANGLED_D_BYTES = 4096,
	/* Substitutions expand 100 bytes to gigabytes: a name of that length is useless. */
	MAX_SHOWN_BYTES = 64 * 1024,
};

struct demangled_text {
	struct strbuf text;
	jmp_buf too_long;
};

/*
 * libiberty's demanglers can only be stopped by not returning to them. When one writes through a callback, its state is on
 * the stack and not on the heap, so leaving loses only one allocation: the letters of a Rust identifier in punycode, if
 * that identifier is the one that is too long.
 */
static void take_piece(const char *piece, size_t size, void *context)
{
	struct demangled_text *out = context;

	if (size > MAX_SHOWN_BYTES - out->text.size)
		longjmp(out->too_long, 1);
	strbuf_add(&out->text, piece, size);
}

typedef int demangler(const char *mangled, int options, demangle_callbackref callback, void *context);

/* NULL if the name is not of that language. */
static char *run(demangler *demangle, const char *mangled, int options)
{
	struct demangled_text out;
	volatile int is_mangled = 0; /* keeps its value across longjmp() */

	strbuf_init(&out.text);
	if (setjmp(out.too_long) == 0)
		is_mangled = demangle(mangled, options, take_piece, &out);
	else
		strbuf_reset(&out.text);
	if (is_mangled && out.text.size > 0)
		return strbuf_detach(&out.text);
	strbuf_fini(&out.text);
	return NULL;
}

/* dlang_demangle() reads back references from its own input and needs only the heap. */
static char *run_d(const char *mangled, int options)
{
	char *text = strlen(mangled) <= MAX_MANGLED_D_BYTES ? dlang_demangle(mangled, options) : NULL;

	if (text && (!*text || strlen(text) > MAX_SHOWN_BYTES)) {
		free(text);
		return NULL;
	}
	return text;
}

static char *demangle_whole(const char *name, bool parameters)
{
	int options = parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
	char *text = NULL;

	if (strnlen(name, MAX_MANGLED_BYTES + 1) > MAX_MANGLED_BYTES)
		return NULL;
	if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R'))
		/* Legacy Rust names are also valid C++ names, so Rust comes first. */
		text = run(rust_demangle_callback, name, options);
	if (!text && name[0] == '_' && (name[1] == 'Z' || strncmp(name, "_GLOBAL_", 8) == 0))
		text = run(cplus_demangle_v3_callback, name, options);
	if (!text && name[0] == '_' && name[1] == 'D' &&
	    ((name[2] >= '0' && name[2] <= '9') || name[2] == 'm'))
		text = run_d(name, options);
	return text;
}

char *demangle_name(const char *name, bool parameters)
{
	static const char plt[] = "@plt";
	size_t length = strlen(name);
	struct strbuf text = STRBUF_INIT;
	char *function;

	if (name[0] != '_') /* true of nearly all names in C */
		return NULL;
	if (length < sizeof(plt) || strcmp(name + length - strlen(plt), plt) != 0)
		return demangle_whole(name, parameters);
	strbuf_add(&text, name, length - strlen(plt));
	function = demangle_whole(text.bytes, parameters);
	strbuf_reset(&text);
	if (function)
		strbuf_addf(&text, "%s%s", function, plt);
	free(function);
	if (text.size > 0)
		return strbuf_detach(&text);
	strbuf_fini(&text);
	return NULL;
}

#else

char *demangle_name(const char *name, bool parameters)
{
	(void)name;
	(void)parameters;
	return NULL;
}

#endif
