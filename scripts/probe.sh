#!/usr/bin/env bash
# Finds the libraries that xprof can use and writes down what was found:
#   DIR/config.mk        for the Makefile: OPTION_CPPFLAGS, OPTION_LIBS, MISSING_LIBRARIES, HAVE_BPF, BPF_CPPFLAGS, BPFTOOL
#   DIR/build_options.h  for `xprof version --build-options`: one BUILD_OPTION() line per library
# Files are rewritten only when their content changes, so that a probe on every
# run of make rebuilds nothing. A missing required library is not an error here:
# the Makefile says so when something is about to be compiled.
#
# usage: probe.sh DIR   (CC, CLANG, BPFTOOL, PKG_CONFIG and VERSION from the environment)
#
# STATIC=1: for a program that needs no libraries on the machine where it runs. Libraries without an archive count as missing.
set -eu

dir=$1
cc=${CC:-cc}
pkg_config=${PKG_CONFIG:-pkg-config}
static=
if [ "${STATIC:-}" = 1 ]; then
	static=-static
fi

cppflags=
libs=
missing=
options=

write_if_changed() {
	local file=$1 content
	content=$(cat)
	if [ ! -f "$file" ] || [ "$content" != "$(cat "$file")" ]; then
		printf '%s\n' "$content" >"$file.new"
		mv "$file.new" "$file"
	fi
}

# NAME: the linker's options for it and, if static, for the libraries that it needs itself.
libs_of() {
	case $static$1 in
	# Of all its formats xprof uses tar alone. XML and cryptography, which the others need, are not linked if the function that
	# refers to all formats is replaced by abort(). libarchive calls it for entries that are neither files, directories nor
	# links.
	-staticlibarchive)
		echo "-larchive -llz4 -lbz2 -llzma -lzstd -lz -Wl,--defsym=__archive_write_entry_filetype_unsupported=abort" ;;
	*) "$pkg_config" ${static:+--static} --libs "$1" ;;
	esac
}

has_pc() {
	# shellcheck disable=SC2046 # several options
	"$pkg_config" --exists "$1" 2>/dev/null &&
		{ [ -z "$static" ] || compiles 'int main(void) { return 0; }' $(libs_of "$1"); } # archives of all of them
}

# Is there a header (and, with a library, a symbol to link with)?
compiles() {
	local source=$1
	shift
	# shellcheck disable=SC2086 # CC may hold options
	printf '%s\n' "$source" | $cc $static -x c -D_GNU_SOURCE -o "$dir/probe.out" - "$@" 2>/dev/null
}

option() {
	local name=$1 on=$2 what=$3
	options+="BUILD_OPTION($name, $on, \"$what\")"$'\n'
}

# NAME: sets -DHAVE_NAME. Fails if the library is missing.
available() {
	local name=$1 macro
	has_pc "$name" || return 1
	macro=HAVE_$(printf '%s' "$name" | tr 'a-z-' 'A-Z_')
	cppflags+=" -D$macro $("$pkg_config" --cflags "$name")"
}

# NAME: offers the library to the linker.
link_with() {
	libs+=" $(libs_of "$1")"
}

# NAME FEATURE: the build stops without it.
required() {
	local name=$1 what=$2
	if available "$name"; then
		link_with "$name"
		option "$name" 1 "$what"
	else
		missing+=" $name"
		option "$name" 0 "$what"
	fi
}

# NAME FEATURE [loaded]: a library that turns on the feature; a loaded one's headers are enough: xprof loads it itself when it
# needs it (src/base/shared_library.h).
optional() {
	local name=$1 what=$2 how=${3:-linked}
	if ! available "$name"; then
		option "$name" 0 "$what"
	elif [ "$how" = loaded ] && [ -z "$static" ]; then
		option "$name" 1 "$what (loaded when needed)"
	else
		link_with "$name"
		option "$name" 1 "$what"
	fi
}

# libiberty comes without a .pc file. Debian's libiberty-dev and Fedora's
# binutils-devel put the header into libiberty/, some builds of binutils beside the others.
probe_libiberty() {
	local what="C++, Rust and D names are demangled" header
	for header in libiberty/demangle.h demangle.h; do
		if compiles "#include <$header>
			int main(void) { return cplus_demangle(\"_Z1fv\", 0) == 0; }" -liberty; then
			cppflags+=" -DHAVE_LIBIBERTY '-DLIBIBERTY_DEMANGLE_H=<$header>'"
			libs+=" -liberty"
			option libiberty 1 "$what"
			return
		fi
	done
	option libiberty 0 "$what"
}

# Debian's libzydis-dev comes without a .pc file. Version 3 has another interface.
probe_zydis() {
	local what="functions without call frame information are unwound by their instructions; script prints branches with instructions"
	if compiles "#include <Zydis/Zydis.h>
		int main(void) { ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]; ZydisDecodedInstruction i;
		return ZydisDecoderDecodeFull(0, 0, 0, &i, operands) == 0; }" -lZydis; then
		cppflags+=" -DHAVE_LIBZYDIS"
		libs+=" -lZydis"
		option libzydis 1 "$what"
	else
		option libzydis 0 "$what"
	fi
}

# BPF programs need libbpf's headers, a clang that compiles for BPF, and a bpftool that makes loaders of the compiled programs.
# shellcheck disable=SC2086 # $flags are several
probe_bpf() {
	local what="stacks are copied whole while recording" flags
	flags="-I/usr/include/$(uname -m)-linux-gnu -D__TARGET_ARCH_$(uname -m | sed 's/x86_64/x86/; s/aarch64/arm64/')"
	# Debian installs it where only root looks.
	bpftool=${BPFTOOL:-$(PATH=$PATH:/usr/sbin:/sbin command -v bpftool)} || bpftool=
	if compiles '#include <bpf/libbpf.h>
		#include <errno.h>
		#include <string.h>
		#include <bpf/skel_internal.h>
		int main(void) { return LIBBPF_MAJOR_VERSION < 1; } ' -fsyntax-only &&
		printf '%s\n' '#include <linux/bpf.h>' '#include <bpf/bpf_tracing.h>' \
			'SEC("perf_event") int probe(void *context) { return !context; }' 'char LICENSE[] SEC("license") = "GPL";' |
		"${CLANG:-clang}" -target bpf -g -O2 $flags -x c -c -o "$dir/probe.bpf.o" - 2>/dev/null &&
		"$bpftool" gen skeleton -L "$dir/probe.bpf.o" name probe >/dev/null 2>&1; then
		cppflags+=" -DHAVE_BPF -isystem $dir/bpf"
		bpf_cppflags=$flags
		option bpf 1 "$what"
	else
		option bpf 0 "$what"
	fi
	rm -f "$dir/probe.bpf.o"
}
bpf_cppflags=
bpftool=

mkdir -p "$dir"
required libelf "ELF files"
required libdw "source lines and inlined functions"
required liblzma "MiniDebugInfo (.gnu_debugdata)"
required zlib "compressed ELF sections, debug links"
optional libzstd "zstd-compressed records"
optional libdeflate "compressed ELF sections in half the time"
optional libarchive "xprof archive, and reading archives without unpacking them" loaded
optional libtraceevent "the fields of tracepoints in xprof script"
optional libunwind-generic "a second opinion on stacks: xprof report --unwinder=libunwind"
probe_libiberty
probe_zydis
probe_bpf
rm -f "$dir/probe.out"
if [ -n "$static" ]; then
	cppflags+=" -DXPROF_STATIC"
	# Archives that need each other.
	libs=" -Wl,--start-group$libs -Wl,--end-group"
	option static 1 "one file that needs nothing installed; loads no libraries (debuginfod, Swift names)"
fi

write_if_changed "$dir/config.mk" <<END
OPTION_CPPFLAGS :=$cppflags
OPTION_LIBS :=$libs
MISSING_LIBRARIES :=$missing
HAVE_BPF := ${bpf_cppflags:+1}
BPF_CPPFLAGS := $bpf_cppflags
BPFTOOL := $bpftool
END
write_if_changed "$dir/build_options.h" <<END
/*
 * Written by scripts/probe.sh. Define BUILD_OPTION(name, on, what), include this
 * header, and get one line per library: its name, 1 or 0, what it is good for.
 */
#define XPROF_VERSION "${VERSION:-unknown}"

#ifdef BUILD_OPTION
$options#endif
END
