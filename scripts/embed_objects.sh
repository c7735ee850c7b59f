#!/usr/bin/env bash
# Writes C that holds files byte by byte, an array and its size for each, named after the file:
# stack_copy.o becomes `const unsigned char bpf_stack_copy[]` and `const size_t bpf_stack_copy_size`.
#
# usage: embed_objects.sh FILE... >OUT.c
set -eu

echo '/* Made by scripts/embed_objects.sh. */'
echo '#include "record/bpf/bpf_objects.h"'
for file in "$@"; do
	name=bpf_$(basename "${file%.o}")
	# libbpf reads the object in place: it has to be aligned like one that was mapped.
	printf '\nconst unsigned char %s[] __attribute__((aligned(16))) = {\n' "$name"
	od -An -v -tx1 "$file" | sed 's/ \(..\)/0x\1,/g'
	printf '};\nconst size_t %s_size = sizeof(%s);\n' "$name" "$name"
done
