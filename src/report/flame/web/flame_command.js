/* Turns what a page shows into the command of xprof report that prints the same numbers. */
'use strict';
const FlameCommand = (function () {
	const KIND_GROUP = 0;

	/* The word quoted for a POSIX shell: in single quotes, unless no character has a meaning there. */
	function quoted(word) {
		return /^[\w./:,%+=@-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
	}

	/* The options that the page was made with, some of them replaced by `chosen` ({ "--time": "1,2" }). */
	function line(options, chosen) {
		const words = ['xprof', 'report'], left = { ...chosen };
		const add = (option, value) => words.push(option, ...(value === undefined ? [] : [quoted(value)]));
		for (const [option, value] of options) {
			add(option, left[option] === undefined ? value : left[option]);
			delete left[option];
		}
		for (const option of Object.keys(left))
			add(option, left[option]);
		return words.join(' ');
	}

	/* Nanoseconds as seconds with all nine digits: a single number beyond 2^53 would lose some. */
	function seconds(ns) {
		const second = 1000000000n;
		return ns / second + '.' + String(ns % second).padStart(9, '0');
	}

	/* --time for slots `from` to `to`, inclusive to the nanosecond, within the spans of the page. */
	function timeOption(data, from, to) {
		const length = BigInt(data.slot_ns), first = BigInt(data.first_slot);
		const start = (first + BigInt(from)) * length, stop = (first + BigInt(to) + 1n) * length - 1n;
		const spans = (data.spans || []).map((span) => span.map(BigInt));
		return (spans.length ? spans : [[start, stop]])
			.map(([low, high]) => [low > start ? low : start, high < stop ? high : stop])
			.filter(([low, high]) => low <= high)
			.map(([low, high]) => seconds(low) + ',' + seconds(high)).join(' ');
	}

	/* The option that keeps only the samples of a group's frame. */
	function groupOption(data, names, word, frame) {
		switch (word) {
		case 'comm': return ['--comms', names[frame]];
		case 'pid': return ['--pid', String(data.threads.find((thread) => thread[3] === frame)[0])];
		case 'tid': return ['--tid', String(data.threads.find((thread) => thread[4] === frame)[1])];
		case 'cpu': {
			const [cpu] = data.cpus.find((one) => one[1] === frame);
			return cpu < 0 ? [] : ['--cpu', String(cpu)]; /* an event has CPUs for all of its samples, or for none */
		}
		case 'cgroup': return ['--cgroups', names[frame]];
		default: return ['--event', names[frame]];
		}
	}

	/* A frame as in --stack. */
	function step(page, frame) {
		const file = page.files[frame];
		return page.names[frame].replace(/;/g, ':') + (file ? '@' + file.replace(/;/g, ':') : '');
	}

	/* The options for `path`, which begins with the outermost caller. Its first frames are groups of the kinds `words`,
	 * which become options; the others become a pattern of stacks. */
	function pathOptions(page, path, words, before, after) {
		const chosen = {};
		words.forEach((word, i) => {
			if (i < path.length) {
				const [option, value] = groupOption(page.data, page.names, word, path[i]);
				if (option)
					chosen[option] = value;
			}
		});
		if (path.length > words.length)
			chosen['--stack'] = before + path.slice(words.length).map((frame) => step(page, frame)).join(';') + after;
		return chosen;
	}

	/* A reversed path that reaches its groups is a whole stack. */
	function reversedOptions(page, path, words) {
		const groups = path.filter((frame) => page.kinds[frame] === KIND_GROUP).length;
		return pathOptions(page, path, words.slice(words.length - groups), groups ? '' : '...;', '');
	}

	/* `page`: { data, names, kinds, files: by frame, state, tree: of the first pane }. */
	function of(page) {
		const { data, state, tree } = page, chosen = {}, words = state.by ? state.by.split(',') : [];
		if (state.event >= 0 && data.events)
			chosen['--event'] = data.events[state.event][0];
		if (state.from >= 0)
			chosen['--time'] = timeOption(data, state.from, state.to);
		if (state.view === 'sandwich')
			chosen['--stack'] = '...;' + step(page, state.frame) + ';...';
		else if (state.view === 'reversed' && state.zoom)
			Object.assign(chosen, reversedOptions(page, FlameModel.path(tree, state.zoom).reverse(), words));
		else if (state.zoom)
			Object.assign(chosen, pathOptions(page, FlameModel.path(tree, state.zoom), words, '', ';...'));
		return line(data.command, chosen);
	}

	return { of, line, timeOption, quoted };
})();
if (typeof module !== 'undefined')
	module.exports = FlameCommand;
