/* The page: what is chosen, what follows from that, and the address that keeps it. Names are only written as text. */
'use strict';
(function () {
	const byId = (id) => document.getElementById(id);
	const data = JSON.parse(byId('data').textContent);
	const base = FlameModel.decode(data.nodes, data.scale);
	data.nodes = byId('data').textContent = '';
	if (data.before)
		FlameModel.compare(base, data.before, data.before_total, data.changes);
	const names = data.frames.map((frame) => frame[0]);
	const kinds = data.frames.map((frame) => frame[2] >> 2);
	const inlined = Uint8Array.from(kinds, (kind) => (kind === FlamePaint.INLINED ? 1 : 0));
	const files = data.frames.map((frame) => data.dsos[frame[1]]);
	const samples = data.rows ? FlameSamples.open(data, base, kinds) : null;
	const events = data.events || [];

	/* By frame: the first one with the same words. Groups are no functions. */
	function firstWith(words) {
		const first = new Map();
		return Int32Array.from(names, (name, frame) => {
			const key = words[frame] + '\n' + files[frame];
			if (kinds[frame] === FlamePaint.GROUP)
				return frame;
			if (!first.has(key))
				first.set(key, frame);
			return first.get(key);
		});
	}

	/* A function may have several kinds. As in xprof report, the table has a row for it where it was compiled and one where
	 * it was inlined. */
	const rowNames = names.map((name, frame) => (kinds[frame] === FlamePaint.INLINED ? name + ' (inlined)' : name));
	const same = firstWith(names), rowOf = firstWith(rowNames);

	const BY_NAMES = { comm: 'command', pid: 'process', tid: 'thread', cpu: 'CPU', cgroup: 'cgroup', event: 'event' };
	const state = {
		view: data.reversed ? 'reversed' : data.inverted ? 'icicle' : 'flame', by: data.by.join(','),
		event: events.findIndex((event) => event[0] === data.unit), weigh: data.weigh, from: -1, to: -1,
		otherFrom: -1, otherTo: -1, map: '', zoom: 0, zoom2: 0, query: '', frame: -1, sort: 'self', up: false, dark: null,
	};
	const USUAL = { ...state };
	let main = base, panes = [], found = null, colors = {}, heat = null, active = null, allRows = false;

	/* --- words ------------------------------------------------------------------------------------------------- */

	const text = (frame) => (frame < 0 ? 'all' : names[frame]);
	const share = FlameModel.percent;
	const count = (number, one) => number.toLocaleString('en-US') + (one ? ' ' + one + (number === 1 ? '' : 's') : '');
	const eventName = () => (state.weigh === 'samples' || state.event < 0 || !events.length ? data.unit : events[state.event][0]);

	/* The words after a weight: for imported profiles, their unit. */
	const measure = () => (state.weigh === 'samples' ? undefined : data.measures?.[eventName()]);
	const unit = () => measure() ?? eventName();

	/* "929 samples, 1.86 s": a weight that equals the number of samples is written once, in its own unit if it has one. */
	function amounts(samplesCount, weight) {
		if (weight === samplesCount && measure() !== undefined)
			return FlameModel.amount(weight, unit());
		return count(samplesCount, 'sample') + (weight === samplesCount ? '' : ', ' + FlameModel.amount(weight, unit()));
	}

	/* All percentages of the page have one base: the samples of the table. */
	const shareOfBase = (weight) => share(weight, sums().weight);

	/* The node of everything has the tree's name. */
	function nameOf(tree, node) {
		const frame = tree.frame[node];
		return frame < 0 && tree.name ? tree.name : text(frame);
	}

	/* Reversed stacks and callers have no self: all weight there is that of the sampled function itself. */
	function selfWords(tree, node) {
		const frame = tree.frame[node], has = frame >= 0 && (tree === main || tree === sandwichTrees?.callees);
		const self = has ? FlameModel.selfOf(tree, node, inlined) : 0;
		if (has && tree.self[node] && tree.frame[node] !== FlameModel.compiledInto(tree, node, inlined))
			return ['self ' + shareOfBase(tree.self[node]) + ', which counts for ' + text(FlameModel.compiledInto(tree, node, inlined))];
		return self > 0 && self !== tree.weight[node] ? ['self ' + shareOfBase(self)] : [];
	}

	/* A recording is compared with an earlier one, a span of time with any other. */
	const otherWords = samples ? 'in the other span' : 'before';

	/* The interval of a path's difference, if that is more than chance. */
	function intervalOf(tree, node) {
		return tree.low.has(node) ? ' (' + tree.low.get(node).toFixed(2) + ' .. ' + tree.high.get(node).toFixed(2) + ')' : ', may be chance';
	}

	function describe(pane, node, rest) {
		const { tree } = pane;
		if (rest)
			return FlamePane.restName(pane, rest) + ', too narrow to draw';
		const frame = tree.frame[node], words = [];
		if (frame >= 0 && files[frame])
			words.push(files[frame]);
		if (frame >= 0)
			words.push(data.kinds[kinds[frame]]);
		/* For a zoomed path the table has only what it calls, and its callers have all of that. */
		const within = node < pane.zoom && tree.end[node] > pane.zoom ? pane.zoom : node;
		words.push(shareOfBase(tree.weight[within]), amounts(tree.samples[within], tree.weight[within]));
		words.push(...selfWords(tree, node));
		if (tree.points && node > 0)
			words.push(otherWords + ' ' + share(tree.before[node], tree.before[0]) + ', ' +
				(tree.points[node] < 0 ? '' : '+') + tree.points[node].toFixed(2) + ' points' + intervalOf(tree, node));
		return nameOf(tree, node) + ' — ' + words.join(', ');
	}

	/* --- looks ------------------------------------------------------------------------------------------------- */

	const look = {
		colors: () => colors,
		nameOf,
		kindOf: (tree, node) => (tree.frame[node] < 0 ? FlamePaint.GROUP : tree.points ? -1 : kinds[tree.frame[node]]),
		colorOf(tree, node) {
			if (tree.frame[node] < 0)
				return colors[FlamePaint.GROUP];
			return tree.points ? colors[FlameModel.changeClass(tree.points[node], tree.low.has(node))] : colors[data.frames[tree.frame[node]][2]];
		},
		isFound: (tree, node) => Boolean(found && tree.frame[node] >= 0 && found[tree.frame[node]]),
		percent: (weight) => shareOfBase(weight),
	};

	function addToLegend(kind, color, words) {
		const item = document.createElement('li');
		item.append(FlamePaint.sign(kind, color), words);
		byId('legend').appendChild(item);
	}

	function fillLegend() {
		byId('legend').textContent = '';
		if (main.points && (state.view === 'flame' || state.view === 'icicle')) {
			addToLegend(-1, colors.p3, 'more than ' + otherWords);
			addToLegend(-1, colors.m3, 'less');
			addToLegend(-1, colors.z0, 'may be chance');
		} else {
			for (const kind of [...new Set(kinds)].filter((one) => one !== FlamePaint.GROUP).sort())
				addToLegend(kind, colors[4 * kind], data.kinds[kind]);
		}
		if (found)
			addToLegend(-1, colors.found, 'found');
	}

	function setTheme(dark) {
		state.dark = dark;
		const on = dark === null ? window.matchMedia('(prefers-color-scheme: dark)').matches : dark;
		document.documentElement.classList.toggle('dark', on);
		byId('theme').setAttribute('aria-pressed', String(on));
		colors = FlamePaint.readColors(data.palette, data.letters);
		drawAll();
	}

	function drawAll() {
		panes.forEach(FlamePane.draw);
		if (heat) {
			heat.colors = colors;
			FlameHeat.draw(heat);
		}
		/* begin lanes */
		FlameLanes.show(lanes, { ...state, selected: chosenThread() });
		/* end lanes */
	}

	/* --- what is chosen and what follows ----------------------------------------------------------------------- */

	const groups = () => (state.by ? state.by.split(',') : []);

	/* The span that the chosen one is compared with; null: none, or it is the same. */
	function otherSpan() {
		const { otherFrom: from, otherTo: to } = state;
		return from < 0 || (from === state.from && to === state.to) ? null : { from, to };
	}

	/* The tree that comes with the page has one event and the groups that xprof was given. */
	function isBase() {
		return !samples || (state.from < 0 && !otherSpan() && state.by === USUAL.by && state.weigh === USUAL.weigh &&
			state.event === USUAL.event && (events.length === 1 || state.event < 0));
	}

	function chooseTree() {
		const other = otherSpan(), choice = { ...state, by: groups() };
		main = isBase() ? base : FlameSamples.build(samples, choice, other);
		if (other)
			FlameSpans.compare(samples, main, choice, other, rowOf);
		changes = !other ? changesOfPage : new Map([...main.changes].map(([frame, change]) => [frame, FlameModel.changeWords(change)]));
		byId('functions').classList.toggle('compares', changes.size > 0);
		reversedTree = sandwichTrees = null;
		forgetSums();
	}

	let reversedTree = null, sandwichTrees = null;

	function reversed() {
		reversedTree = reversedTree || FlameModel.reversed(main);
		return reversedTree;
	}

	function sandwich() {
		if (!sandwichTrees || sandwichTrees.frame !== state.frame) {
			const callers = FlameModel.callers(main, state.frame, same), callees = FlameModel.callees(main, state.frame, same);
			callers.name = 'Callers';
			callees.name = 'Callees';
			sandwichTrees = { frame: state.frame, callers, callees };
		}
		return sandwichTrees;
	}

	/* [label, tree, callers below?] of each pane of the view. */
	function wantedPanes() {
		if (state.view === 'sandwich') {
			if (state.frame < 0)
				state.frame = hottest();
			const { callers, callees } = sandwich();
			return [['Callers of ' + text(state.frame), callers, true], ['Callees of ' + text(state.frame), callees, false]];
		}
		if (state.view === 'reversed')
			return [['Reversed flame graph', reversed(), !data.inverted]];
		return [['Flame graph', main, state.view === 'flame']];
	}

	const zoomName = (pane) => (panes.indexOf(pane) === 1 ? 'zoom2' : 'zoom');

	function showView() {
		const had = panes.findIndex((pane) => pane.canvas === document.activeElement);
		const wanted = wantedPanes();
		panes = wanted.map(([label, tree, upward]) => {
			const pane = FlamePane.create(label, look, { hover, click, focus: select, key: onPaneKey });
			FlamePane.show(pane, tree, upward);
			return pane;
		});
		byId('panes').replaceChildren(...panes.map((pane) => pane.box));
		active = null;
		for (const pane of panes) {
			const node = state[zoomName(pane)];
			pane.zoom = pane.focus = node < pane.tree.count ? node : 0;
			state[zoomName(pane)] = pane.zoom;
			FlamePane.scrollTo(pane, pane.zoom);
		}
		if (had >= 0)
			panes[Math.min(had, panes.length - 1)].canvas.focus({ preventScroll: true });
		showSelected();
		refresh();
	}

	/* Updates all that depends on zoom and search. */
	function refresh() {
		byId('view').value = state.view;
		if (samples)
			showChoices();
		fillLegend();
		fillTable();
		updateMatched();
		showSelected();
		drawAll();
		remember();
	}

	/* Zoomed paths stay if the new tree has them; other groups begin anew. */
	function rebuild(change) {
		const path = state.view === 'flame' || state.view === 'icicle' ? FlameModel.path(main, state.zoom) : [];
		const regrouped = change.by !== undefined && change.by !== state.by;
		Object.assign(state, change, { zoom2: 0 });
		chooseTree();
		state.zoom = regrouped || change.zoom === 0 ? 0 : FlameModel.find(main, path);
		updateHeat();
		showView();
	}

	function hottest() {
		const { self } = sumsOfAll();
		let best = -1;
		self.forEach((weight, frame) => {
			if (kinds[frame] !== FlamePaint.GROUP && (best < 0 || weight > self[best]))
				best = frame;
		});
		return best;
	}

	function zoom(pane, node) {
		pane.zoom = node;
		state[zoomName(pane)] = node;
		FlamePane.scrollTo(pane, node);
		forgetSums();
		refresh();
	}

	function showSandwich(frame) {
		if (frame < 0 || kinds[frame] === FlamePaint.GROUP)
			return;
		Object.assign(state, { view: 'sandwich', frame: same[frame], zoom: 0, zoom2: 0 });
		forgetSums();
		showView();
		select(panes[0], panes[0].tree.count > 1 ? 1 : 0);
	}

	function setView(view) {
		if (view === state.view)
			return;
		const keeps = [view, state.view].every((one) => one === 'flame' || one === 'icicle');
		Object.assign(state, { view, zoom2: 0, zoom: keeps ? state.zoom : 0 });
		forgetSums();
		showView();
	}

	/* Escape: one step at a time; the button: everything at once. */
	function stepBack() {
		if (state.query)
			setQuery('');
		else if (state.zoom || state.zoom2)
			panes.forEach((pane) => zoom(pane, 0));
		else if (state.view === 'sandwich')
			setView(USUAL.view === 'sandwich' ? 'flame' : USUAL.view);
		else if (state.otherFrom >= 0)
			rebuild({ otherFrom: -1, otherTo: -1 });
		else if (state.from >= 0)
			rebuild({ from: -1, to: -1 });
	}

	function showAll() {
		setQuery('');
		rebuild({ from: -1, to: -1, otherFrom: -1, otherTo: -1, zoom: 0, view: state.view === 'sandwich' ? USUAL.view : state.view });
	}

	/* --- search ------------------------------------------------------------------------------------------------ */

	function setQuery(query) {
		let problem = '';
		state.query = query;
		if (byId('query').value !== query)
			byId('query').value = query;
		found = null;
		if (query) {
			try {
				const matches = FlameSearch.matcher(query);
				found = names.map((name) => (matches(name) ? 1 : 0));
			} catch (error) {
				problem = error.message;
			}
		}
		byId('query').setAttribute('aria-invalid', String(Boolean(problem)));
		updateHeat();
		refresh();
		if (problem)
			byId('matched').textContent = problem;
	}

	function updateMatched() {
		const output = byId('matched');
		if (!found) {
			output.textContent = '';
			return;
		}
		const top = state.view === 'flame' || state.view === 'icicle' ? state.zoom : 0;
		const { weight, nodes } = FlameModel.matched(main, top, found);
		output.textContent = shareOfBase(weight) + ' matched, ' + count(nodes, 'frame');
	}

	/* --- time -------------------------------------------------------------------------------------------------- */

	let counted = { found: [] }; /* the map's samples are kept: a day has millions of slots */

	function updateHeat() {
		if (!heat)
			return;
		if (counted.event !== state.event || counted.found !== found) {
			counted = { event: state.event, found };
			FlameHeat.setValues(heat, FlameSamples.perSlot(samples, state.event, found), FlameSamples.isEstimate(samples, state.event, found));
		}
		heat.from = state.from;
		heat.to = state.to;
		heat.other = state.otherFrom < 0 ? null : { from: state.otherFrom, to: state.otherTo };
		showRange();
	}

	const spanText = (from, to) => (from < 0 ? 'the whole time' : FlameHeat.timeText(heat, from) + ' to ' + FlameHeat.timeText(heat, to + 1));

	/* "1.00 s to 2.00 s, 100 samples, compared with 5.00 s to 6.00 s, 90 samples" */
	function chosenWords() {
		const other = state.otherFrom < 0 ? '' : spanText(state.otherFrom, state.otherTo);
		if (other && !otherSpan())
			return 'choose a span to compare with ' + other;
		if (state.from < 0 && !other)
			return '';
		return spanText(state.from, state.to) + ', ' + count(main.samples[0], 'sample') +
			(other ? ', compared with ' + other + ', ' + count(main.otherSamples, 'sample') : '') +
			(samples.every > 1 ? ' (one of each ' + samples.every + ' that were recorded)' : '');
	}

	function showRange(words) {
		const shown = heat.scale.isWhole ? '' : FlameHeat.scaleText(heat);
		byId('range').textContent = words || [chosenWords(), shown].filter(Boolean).join('; ') || 'drag to choose a span of time';
		byId('all-time').hidden = state.from < 0;
		byId('compare').hidden = state.from < 0 && state.otherFrom < 0;
		byId('compare').textContent = state.otherFrom < 0 ? 'Compare this span' : 'Compare no more';
	}

	/* Compares with the span that is chosen next. */
	function toggleComparison() {
		if (state.otherFrom >= 0)
			rebuild({ otherFrom: -1, otherTo: -1 });
		else if (state.from >= 0)
			rebuild({ otherFrom: state.from, otherTo: state.to });
	}

	/* For long recordings: the part of the time that the map shows. */
	function showScale() {
		state.map = FlameScale.written(heat.scale);
		byId('scale').hidden = !FlameScale.canZoom(heat.scale);
		byId('closer').disabled = heat.scale.factor === 1;
		byId('farther').disabled = heat.scale.isWhole;
		showRange();
		remember();
	}

	function makeHeat() {
		if (!samples || !samples.slots) {
			byId('time').hidden = true;
			return;
		}
		heat = FlameHeat.create(byId('heat'), data, samples.slots, {
			choose: (from, to) => rebuild({ from, to }),
			describe: showRange,
			scaled: () => showScale(),
		});
		byId('closer').addEventListener('click', () => FlameHeat.zoom(heat, 1));
		byId('farther').addEventListener('click', () => FlameHeat.zoom(heat, -1));
		byId('time-title').textContent = 'Samples over time';
		byId('before-title').textContent = 'Other span';
		byId('before-title').title = 'Total, share of everything in the other span';
		byId('compare').addEventListener('click', toggleComparison);
		byId('all-time').addEventListener('click', () => {
			rebuild({ from: -1, to: -1 });
			byId('heat').focus();
		});
	}

	/* begin lanes */
	/* --- threads over time ------------------------------------------------------------------------------------- */

	const lanes = FlameLanes.create(byId('lanes'), FlameLanes.open(samples, data), names, { choose: chooseThread });
	const threadFrames = new Set(data.threads.map((thread) => thread[4]));

	/* The thread's group that the zoom is at, or inside of. */
	function chosenThread() {
		const path = ['flame', 'icicle'].includes(state.view) ? FlameModel.path(main, Math.min(state.zoom, main.count - 1)) : [];
		return path.find((frame) => threadFrames.has(frame)) ?? -1;
	}

	/* Groups by threads, if the thread would otherwise be in several places, and zooms to it; if it is chosen already,
	 * zooms to all. If the thread has no samples of the event, takes one that it has. */
	function chooseThread({ frame, events: itsEvents }) {
		const isByThread = groups().includes('tid') && groups().every((word) => word === 'tid' || word === 'pid');
		if (chosenThread() === frame) {
			zoom(panes[0], 0);
			return;
		}
		rebuild({
			view: state.view === 'icicle' ? 'icicle' : 'flame', by: isByThread ? state.by : 'tid', zoom: 0,
			event: state.event < 0 || itsEvents.has(state.event) ? state.event : [...itsEvents][0],
		});
		const node = main.frame.subarray(0, main.count).indexOf(frame);
		if (node > 0) {
			select(panes[0], node);
			zoom(panes[0], node);
		} else {
			byId('details').textContent = text(frame) + ' has no samples of ' + unit() + ' in this span of time';
		}
	}

	/* end lanes */
	/* --- choices ----------------------------------------------------------------------------------------------- */

	function addOption(menu, value, words) {
		const option = document.createElement('option');
		option.value = value;
		option.textContent = words;
		menu.appendChild(option);
	}

	const byName = (by) => (by ? by.split(',').map((word) => BY_NAMES[word]).join(', then ') : 'nothing');

	function makeChoices() {
		for (const id of ['by', 'event', 'weigh'])
			byId(id + '-label').hidden = true;
		if (!samples)
			return;
		const choices = ['comm', 'pid', 'tid'], hasCpus = data.cpus.some((cpu) => cpu[0] >= 0);
		if (hasCpus)
			choices.push('cpu');
		if (data.cgroups.length > 1 || names[data.cgroups[0]] !== 'cgroup unknown')
			choices.push('cgroup');
		if (events.length > 1)
			choices.push('event');
		for (const by of new Set([USUAL.by, ...choices, ...(hasCpus ? ['cpu,comm'] : []), 'pid,tid', '']))
			addOption(byId('by'), by, byName(by));
		events.forEach((event, i) => addOption(byId('event'), i, event[0]));
		addOption(byId('event'), -1, 'all, by samples');
		addOption(byId('weigh'), 'period', 'by period');
		addOption(byId('weigh'), 'samples', 'by samples');
		byId('by-label').hidden = byId('weigh-label').hidden = false;
		byId('event-label').hidden = events.length < 2;
	}

	function showChoices() {
		if (![...byId('by').options].some((option) => option.value === state.by))
			addOption(byId('by'), state.by, byName(state.by));
		byId('by').value = state.by;
		byId('event').value = state.event;
		byId('weigh').value = state.weigh;
		byId('weigh').disabled = state.event < 0;
	}

	/* Periods of different events do not add up. */
	function setBy(by) {
		const all = by.split(',').includes('event') && events.length > 1;
		rebuild({ by, ...(all ? { event: -1, weigh: 'samples' } : {}) });
	}

	function setEvent(event) {
		const by = event < 0 ? state.by : groups().filter((word) => word !== 'event').join(',');
		rebuild({ event, by, weigh: event < 0 ? 'samples' : state.event < 0 ? USUAL.weigh : state.weigh });
	}

	/* --- the address ------------------------------------------------------------------------------------------- */

	const LETTERS = {
		v: 'view', g: 'by', e: 'event', w: 'weigh', a: 'from', b: 'to', i: 'otherFrom', j: 'otherTo', c: 'map', n: 'zoom', m: 'zoom2', q: 'query', f: 'frame',
		s: 'sort', u: 'up', d: 'dark',
	};

	function remember() {
		const said = (letter) => state[LETTERS[letter]] !== USUAL[LETTERS[letter]] &&
			(state.view === 'sandwich' || !'fm'.includes(letter));
		const words = Object.keys(LETTERS).filter(said)
			.map((letter) => letter + '=' + encodeURIComponent(String(state[LETTERS[letter]])));
		if (location.hash.slice(1) === words.join('&'))
			return;
		try {
			history.replaceState(null, '', '#' + words.join('&'));
		} catch (error) {
			/* Some places where pages are shown have no history. */
		}
	}

	const isNumber = (value, least, end) => /^-?\d+$/.test(value) && Number(value) >= least && Number(value) < end;

	const readSlot = (value) => (samples && isNumber(value, 0, samples.slots) ? Number(value) : undefined);

	/* Readers of the address's values; undefined: the value means nothing. */
	const READERS = {
		view: (value) => (['flame', 'icicle', 'reversed', 'sandwich'].includes(value) ? value : undefined),
		by: (value) => (samples && value.split(',').every((word, i, all) => BY_NAMES[word] && all.indexOf(word) === i) ||
			value === '' ? value : undefined),
		event: (value) => (isNumber(value, -1, events.length) ? Number(value) : undefined),
		weigh: (value) => (['period', 'samples'].includes(value) ? value : undefined),
		from: readSlot,
		to: readSlot,
		otherFrom: readSlot,
		otherTo: readSlot,
		map: (value) => (heat && FlameScale.read(heat.scale, value) ? value : undefined),
		zoom: (value) => (isNumber(value, 0, 0x7fffffff) ? Number(value) : undefined),
		zoom2: (value) => (isNumber(value, 0, 0x7fffffff) ? Number(value) : undefined),
		query: (value) => value,
		frame: (value) => (isNumber(value, 0, names.length) && kinds[value] !== FlamePaint.GROUP ? same[value] : undefined),
		sort: (value) => (['self', 'total', 'samples', 'name'].includes(value) ? value : undefined),
		up: (value) => value === 'true',
		dark: (value) => value === 'true',
	};

	function readHash() {
		Object.assign(state, USUAL);
		for (const word of location.hash.slice(1).split('&')) {
			const member = LETTERS[word[0]];
			let value = word.slice(2);
			if (!member || word[1] !== '=')
				continue;
			try {
				value = decodeURIComponent(value);
			} catch (error) {
				/* taken as it is */
			}
			value = READERS[member](value);
			if (value !== undefined)
				state[member] = value;
		}
		if (state.from > state.to || state.from < 0 || state.to < 0)
			state.from = state.to = -1;
		if (state.otherFrom > state.otherTo || state.otherFrom < 0 || state.otherTo < 0)
			state.otherFrom = state.otherTo = -1;
		if (state.event < 0 && events.length)
			state.weigh = 'samples';
	}

	function showState() {
		readHash();
		chooseTree();
		if (heat) {
			FlameHeat.setScale(heat, state.map ? FlameScale.read(heat.scale, state.map) : FlameScale.all(heat.scale));
			showScale();
		}
		setTheme(state.dark);
		showView();
		setQuery(state.query);
	}

	/* --- the table --------------------------------------------------------------------------------------------- */

	let sumsOfMain = null, sumsOfScope = null;

	function forgetSums() {
		if (!sumsOfMain || sumsOfMain.tree !== main)
			sumsOfMain = null;
		sumsOfScope = null;
		allRows = false;
	}

	function sumsOfAll() {
		sumsOfMain = sumsOfMain || { tree: main, ...FlameModel.functions(main, null, rowOf, inlined) };
		return sumsOfMain;
	}

	/* The samples that the view is about: { scope: as in FlameModel, path: frames, what: words }. */
	function scopeOf() {
		if (state.view === 'sandwich')
			return { scope: FlameModel.through(main, state.frame, same), what: ' in stacks through ' + text(state.frame) };
		if (!state.zoom)
			return { scope: null, what: '' };
		const what = ' in stacks ' + (state.view === 'reversed' ? 'that end in ' : 'through ') +
			text(panes[0].tree.frame[state.zoom]);
		if (state.view === 'reversed')
			return { scope: FlameModel.endingWith(main, FlameModel.path(panes[0].tree, state.zoom), same), what };
		return { scope: state.zoom, what };
	}

	function sums() {
		if (!sumsOfScope) {
			const { scope, what } = scopeOf();
			sumsOfScope = { ...(scope === null ? sumsOfAll() : FlameModel.functions(main, scope, rowOf, inlined)), what };
		}
		return sumsOfScope;
	}

	/* By frame, with its callees: before, difference, interval. For everything, whatever the zoom. */
	const changesOfPage = new Map((data.function_changes || []).map(([frame, , total]) => [frame, FlameModel.changeWords(total)]));
	let changes = changesOfPage;

	function fillTable() {
		const columns = sums(), rows = [];
		for (let frame = 0; frame < names.length; frame++)
			if ((columns.samples[frame] || (changes.has(frame) && !columns.what)) && kinds[frame] !== FlamePaint.GROUP && (!found || found[frame]))
				rows.push(frame);
		const view = { rows, columns, changes: !changes.size ? null : columns.what ? new Map() : changes, names: rowNames, files, sort: state.sort, up: state.up, isFound: (frame) => Boolean(found && found[frame]) };
		const more = FlameTable.fill(byId('rows'), view, allRows);
		byId('functions-title').textContent = count(rows.length, found ? 'matching function' : 'function') + columns.what +
			', ' + count(columns.count, 'sample');
		byId('base').textContent = baseWords();
		byId('more').hidden = !more;
		byId('more').textContent = 'Show ' + count(more) + ' more';
		document.querySelectorAll('[data-sort]').forEach((button) => {
			if (button.dataset.sort === state.sort)
				button.parentNode.setAttribute('aria-sort', state.up ? 'ascending' : 'descending');
			else
				button.parentNode.removeAttribute('aria-sort');
		});
	}

	function baseWords() {
		const { weight, count: number } = sums(), all = weight === main.total;
		return 'percentages are of ' + (weight === number && measure() === undefined ? 'these samples' : FlameModel.amount(weight, unit())) +
			(all ? '' : ', ' + share(weight, main.total) + ' of all');
	}

	function sortBy(column) {
		state.up = state.sort === column ? !state.up : column === 'name';
		state.sort = column;
		fillTable();
		remember();
	}

	/* --- selection --------------------------------------------------------------------------------------------- */

	function select(pane, node) {
		panes.forEach((one) => { one.selected = one === pane; });
		active = pane;
		pane.focus = node === undefined ? pane.focus : node;
		showSelected();
		panes.forEach(FlamePane.draw);
	}

	function showSelected() {
		byId('copy-command').disabled = state.weigh === 'samples';
		const frame = active ? active.tree.frame[active.focus] : -1;
		byId('copy-name').disabled = byId('copy-stack').disabled = frame < 0;
		byId('sandwich').disabled = frame < 0 || kinds[frame] === FlamePaint.GROUP;
		byId('details').textContent = active ? describe(active, active.focus) : amounts(main.samples[0], main.total);
		/* begin blocks */
		showBlocks(frame < 0 && state.view === 'sandwich' ? state.frame : frame);
		/* end blocks */
	}

	/* begin blocks */
	/* --- basic blocks ------------------------------------------------------------------------------------------ */

	const blocks = FlameBlocks.open(data, same);
	let shownBlocks = null;

	function showBlocks(frame) {
		const its = frame < 0 ? undefined : blocks.get(same[frame]);
		byId('blocks').hidden = !its;
		if (!its || its === shownBlocks)
			return;
		shownBlocks = its;
		byId('blocks-title').textContent = count(its.length, 'basic block') + ' of ' + text(frame) +
			', by all branches of the recording; shares are of ' + files[frame];
		FlameBlocks.fill(byId('blocks').querySelector('tbody'), its);
	}

	/* end blocks */
	function hover(pane, hit) {
		if (!hit) {
			showSelected();
			pane.canvas.title = '';
			return;
		}
		byId('details').textContent = pane.canvas.title = describe(pane, hit.node, hit.rest);
	}

	function click(pane, hit) {
		if (!hit)
			return;
		if (hit.rest) {
			byId('details').textContent = describe(pane, hit.node, hit.rest) + ': zoom to their caller';
			return;
		}
		select(pane, hit.node);
		zoom(pane, hit.node);
	}

	/* --- copying ----------------------------------------------------------------------------------------------- */

	function copy(words) {
		const done = () => { byId('details').textContent = 'Copied: ' + words; };
		const failed = () => { byId('details').textContent = words; };
		if (navigator.clipboard)
			navigator.clipboard.writeText(words).then(done, failed);
		else
			failed();
	}

	const selectedFrame = () => (active ? active.tree.frame[active.focus] : -1);

	function copyName() {
		if (selectedFrame() >= 0)
			copy(text(selectedFrame()));
	}

	/* From the outermost caller to the leaf, as folded stacks are. */
	function copyStack() {
		if (selectedFrame() < 0)
			return;
		const frames = FlameModel.path(active.tree, active.focus);
		copy((active.upward === (state.view !== 'reversed') && active.tree !== sandwichTrees?.callers ?
			frames : frames.reverse()).map(text).join(';'));
	}

	function command() {
		return data.command ? FlameCommand.of({ data, names, kinds, files, state, unit: eventName(), tree: panes[0].tree }) : '';
	}

	/* --- keys and clicks --------------------------------------------------------------------------------------- */

	const hasModifier = (event) => event.altKey || event.metaKey || event.ctrlKey;

	function onPaneKey(pane, event) {
		const to = FlamePane.step(pane, event.key);
		if (hasModifier(event))
			return;
		if (to >= 0) {
			select(pane, to);
			FlamePane.reveal(pane);
			FlamePane.draw(pane);
		} else if (event.key === 'Enter' || event.key === ' ') {
			zoom(pane, pane.focus);
		} else if (event.key === 's') {
			showSandwich(pane.tree.frame[pane.focus]);
			panes[0].canvas.focus();
		} else if (event.key === 'c') {
			copyName();
		} else if (event.key === 'C') {
			copyStack();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	function nextOf(menu) {
		return menu.options[(menu.selectedIndex + 1) % menu.options.length].value;
	}

	const KEYS = {
		Escape: stepBack,
		'/': () => byId('query').focus(),
		f: () => panes[0].canvas.focus(),
		h: () => byId('heat').focus(),
		d: () => heat && toggleComparison(),
		/* begin lanes */
		l: () => FlameLanes.focus(lanes),
		/* end lanes */
		t: () => toggleTheme(),
		v: () => setView(nextOf(byId('view'))),
		g: () => samples && setBy(nextOf(byId('by'))),
		x: () => data.command && state.weigh !== 'samples' && copy(command()),
		'?': () => byId('keys').showModal(),
	};

	function onKey(event) {
		const typing = event.target.closest('input, select, dialog');
		if (hasModifier(event) || event.defaultPrevented || !Object.hasOwn(KEYS, event.key))
			return;
		if (event.target.closest('dialog') || (typing && event.key !== 'Escape'))
			return;
		KEYS[event.key]();
		event.preventDefault();
	}

	function toggleTheme() {
		setTheme(!document.documentElement.classList.contains('dark'));
		fillLegend();
		remember();
	}

	function listen() {
		const on = (id, what, does) => byId(id).addEventListener(what, does);
		on('view', 'change', (event) => setView(event.target.value));
		on('by', 'change', (event) => setBy(event.target.value));
		on('event', 'change', (event) => setEvent(Number(event.target.value)));
		on('weigh', 'change', (event) => rebuild({ weigh: event.target.value }));
		on('query', 'input', (event) => setQuery(event.target.value));
		on('reset', 'click', showAll);
		on('theme', 'click', toggleTheme);
		on('help', 'click', () => byId('keys').showModal());
		on('sandwich', 'click', () => showSandwich(selectedFrame()));
		on('copy-name', 'click', copyName);
		on('copy-stack', 'click', copyStack);
		on('copy-command', 'click', () => copy(command()));
		on('rows', 'click', (event) => {
			const button = event.target.closest('[data-function]');
			if (button)
				showSandwich(Number(button.dataset.function));
		});
		on('more', 'click', () => { allRows = true; fillTable(); });
		document.querySelectorAll('[data-sort]').forEach((button) =>
			button.addEventListener('click', () => sortBy(button.dataset.sort)));
		document.addEventListener('keydown', onKey);
		window.addEventListener('hashchange', showState);
		window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(state.dark));
		new ResizeObserver(() => {
			panes.forEach(FlamePane.resize);
			drawAll();
		}).observe(byId('panes'));
		window.addEventListener('resize', drawAll);
	}

	/* --- the head of the page ---------------------------------------------------------------------------------- */

	function showTrust() {
		const { samples: all, lost, throttled, truncated, unresolved } = data.trust;
		const words = [count(all, 'sample')];
		const bad = (number, what) => '⚠ ' + count(number) + ' ' + what + ' (' + share(number, all) + ')';
		words.push(lost ? '⚠ ' + count(lost) + ' lost' : '0 lost');
		if (throttled)
			words.push('⚠ throttled ' + count(throttled) + ' times');
		words.push(truncated ? bad(truncated, 'truncated') : '0 truncated', unresolved ? bad(unresolved, 'unresolved') : '0 unresolved');
		byId('title').textContent = byId('title').title = data.title;
		byId('trust').hidden = data.about.length === 0;
		byId('about').textContent = data.about.join('\n');
		words.forEach((word) => {
			const chip = document.createElement('span');
			chip.className = word.startsWith('⚠') ? 'chip bad' : 'chip';
			chip.textContent = word;
			byId('trust-words').append(chip);
		});
	}

	showTrust();
	makeChoices();
	makeHeat();
	byId('copy-command').hidden = !data.command;
	byId('copy-command').title = 'The xprof report that prints the numbers of the table, where widths are by period';
	listen();
	showState();
	window.requestAnimationFrame(() => window.performance.mark('drawn'));
})();
