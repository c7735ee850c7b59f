#ifndef XPROF_ELF_DSO_KIND_H
#define XPROF_ELF_DSO_KIND_H

/* The kinds of objects that code is mapped from. The kind of a DSO decides where its names are looked up. */
enum dso_kind {
	DSO_FILE, /* an ELF file: program, library */
	DSO_VDSO, /* [vdso], [vdso32]: read from this process if its build-id is the recorded one */
	DSO_KERNEL, /* [kernel.kallsyms]: the kernel without its modules, named by kallsyms, System.map or vmlinux; also
		       its BPF programs */
	DSO_MODULE, /* a kernel module */
	DSO_ANON, /* //anon, [heap], [stack], memfd, /dev/zero: code made at run time, one DSO for each process, named by
		     /tmp/perf-PID.map */
	DSO_JITDUMP, /* code made at run time that its compiler described: path is the jitdump file */
	DSO_UNKNOWN, /* has a path, but no file to open: [vsyscall], anon_inode:..., relative paths; the recording may have its
			symbols */
	DSO_SYMFILE, /* code made at run time for which simpleperf kept a symbol file, which is not in the recording */
	DSO_KSYMBOL, /* a function that the kernel made at run time (KSYMBOL record): path is its name */
};

#endif
