/* Shortens long names of functions. The end of "std::vector<std::pair<int, T>>::push_back" tells most, so template arguments
 * are left out first, the innermost before the outer ones, then the namespaces from the left: "std::vector<…>::push_back",
 * "…::push_back", "push_b…". */
'use strict';
const FlameNames = (function () {
	const MOST_KNOWN = 4096, MOST_LEVELS = 12; /* names; levels of brackets that are folded one after the other */
	const OPENING = '<([{', CLOSING = '>)]}';
	const OPERATOR = /^operator(?:<=>|->\*?|[<>]{1,2}=?|\(\)|\[\])/;

	/* By character: its depth in brackets; a bracket itself has the depth of the text around it. Brackets of operators and
	 * arrows do not count. Null if they do not match. */
	function depthsOf(name) {
		const depths = new Uint16Array(name.length);
		let depth = 0;
		if (name[0] === '[') /* a file, for a function without a name */
			return null;
		for (let i = 0; i < name.length; i++) {
			const operator = name[i] === 'o' && !/\w/.test(name[i - 1] || '') && OPERATOR.exec(name.slice(i, i + 12));
			if (operator) {
				depths.fill(depth, i, i + operator[0].length);
				i += operator[0].length - 1;
				continue;
			}
			if (CLOSING.includes(name[i]) && !(name[i] === '>' && '-='.includes(name[i - 1] || ' ')))
				depth--;
			if (depth < 0)
				return null;
			depths[i] = depth;
			if (OPENING.includes(name[i]))
				depth++;
		}
		return depth ? null : depths;
	}

	/* The name with everything deeper than `level` as "…". */
	function folded(name, depths, level) {
		let text = '', inside = false;
		for (let i = 0; i < name.length; i++) {
			if (depths[i] <= level)
				text += name[i];
			else if (!inside)
				text += '…';
			inside = depths[i] > level;
		}
		return text;
	}

	/* Where the parts of a qualified name begin, and the part that must stay: the last one that is no closure, call
	 * operator or the like, which say nothing alone. */
	function partsOf(name) {
		const depths = depthsOf(name), starts = [0];
		for (let i = 0; depths && i + 2 < name.length; i++)
			if (depths[i] === 0 && name[i] === ':' && name[i + 1] === ':')
				starts.push(i + 2);
		let last = starts.length - 1;
		while (last > 0 && /^(?:[{<]|\(|operator\(\)|_FUN|h[0-9a-f]{16}$)/.test(name.slice(starts[last])))
			last--;
		return { starts, last };
	}

	/* A path before a name, as in Go and Java, counts as namespaces, too. */
	function withoutPath(name) {
		const slash = name.lastIndexOf('/', name.length - 2), open = name.search(/[<(]/);
		return slash > 0 && (open < 0 || slash < open) ? '…' + name.slice(slash) : name;
	}

	/* Forms of the name, from the longest to the shortest. */
	function shorterOf(name) {
		const depths = depthsOf(name), texts = [name];
		const deepest = depths ? depths.reduce((most, depth) => Math.max(most, depth), 0) : 0;
		for (let level = Math.min(deepest, MOST_LEVELS); level > 0; level--)
			texts.push(folded(name, depths, level - 1));
		const least = texts[texts.length - 1], { starts, last } = partsOf(least);
		for (let part = 1; part <= last; part++)
			texts.push('…::' + least.slice(starts[part]));
		if (starts.length === 1)
			texts.push(withoutPath(least));
		texts.push(least.slice(starts[last]).replace(/(?<=\w)(?:::)?[<([]…[>)\]]/g, ''));
		return texts.map((text) => Array.from(text));
	}

	const known = new Map();

	/* The name in at most `room` characters; if its shortest form is too long, that loses its end. */
	function shorten(name, room) {
		if (name.length <= room)
			return name;
		let texts = known.get(name);
		if (!texts) {
			if (known.size >= MOST_KNOWN)
				known.clear();
			texts = shorterOf(name);
			known.set(name, texts);
		}
		const fitting = texts.find((text) => text.length <= room);
		return fitting ? fitting.join('') : texts[texts.length - 1].slice(0, room - 1).join('') + '…';
	}

	return { shorten };
})();
if (typeof module !== 'undefined')
	module.exports = FlameNames;
