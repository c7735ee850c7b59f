# shellcheck shell=bash
# For tests that try xprof on other systems than this one: folders with another system's programs, and commands that run with
# such a folder as their root. Source test/e2e/lib.sh first. Needs root.

# The archive of the distribution's packages, as apt knows it; prints nothing if it is not Debian's.
debian_archive() {
	apt-get indextargets --format '$(SITE) $(COMPONENT)' 2>/dev/null | awk '$2 == "main" && $1 ~ /\/debian\/?$/ { print $1; exit }'
}

# SUITE DIRECTORY PACKAGE...: downloads packages of Debian's SUITE and their dependencies, and unpacks them in DIRECTORY. apt
# has its state beside that, so that the system's stays as it is; no scripts of packages run. Fails if the archive has no such
# suite.
make_root() {
	local suite=$1 directory=$2 archive state deb options
	shift 2
	archive=$(debian_archive)
	[ -n "$archive" ] || return
	state=$directory.apt
	mkdir -p "$state"/{lists/partial,cache/archives/partial,etc} "$directory"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $suite main" >"$state/etc/sources.list"
	: >"$state/status"
	options=(-o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::State::lists="$state/lists"
		-o Dir::Cache="$state/cache" -o Dir::Etc="$state/etc" -o Dir::Etc::sourcelist="$state/etc/sources.list"
		-o Dir::Etc::sourceparts=- -o APT::Install-Recommends=false -o APT::Sandbox::User=root -o Debug::NoLocking=1
		-o Acquire::Retries=2)
	apt-get "${options[@]}" -qq update >"$state/log" 2>&1 &&
		! grep -q '^[EW]: ' "$state/log" &&
		apt-get "${options[@]}" -qq -y --download-only install "$@" >>"$state/log" 2>&1 || return
	# Directories that became links to those of /usr.
	mkdir -p "$directory"/usr/{bin,sbin,lib,lib64}
	for deb in bin sbin lib lib64; do [ -e "$directory/$deb" ] || ln -s "usr/$deb" "$directory/$deb"; done
	for deb in "$state"/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$directory" || return
	done
	rm -rf "$state/cache" "$state/lists"
}

# DIRECTORY COMMAND...: runs the command there, with the system's /proc, /sys and /dev, which are mounted for this command
# alone.
# shellcheck disable=SC2016 # expanded by the inner shell
in_root() {
	local directory=$1
	shift
	mkdir -p "$directory"/{proc,sys,dev,tmp}
	unshare --mount sh -c 'root=$1; shift
		for folder in proc sys dev; do mount --rbind "/$folder" "$root/$folder" || exit 125; done
		exec chroot "$root" "$@"' sh "$directory" "$@"
}
