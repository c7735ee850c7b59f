/* The page: panes that draw a tree, a table of functions, and the state that the address keeps. Names are only ever
 * written as text. */
'use strict';
(function () {
	const ROW = 18, FONT = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
	const NARROWEST = 0.7; /* pixels; what is narrower is drawn as one */
	const MIN_CHARACTERS = 3, MOST_ROWS = 300;
	const KIND_GROUP = 0, KIND_KERNEL = 2, KIND_JIT = 3, KIND_GUESSED = 5, KIND_UNKNOWN = 6;
	const byId = (id) => document.getElementById(id);
	const data = JSON.parse(byId('data').textContent);
	const main = FlameModel.decode(data.nodes, data.scale);
	data.nodes = '';
	if (data.before)
		FlameModel.compare(main, data.before, data.before_total);
	const names = data.frames.map((frame) => frame[0]);
	const kinds = data.frames.map((frame) => frame[2] >> 2);
	const state = { view: 'flame', zoom: 0, query: '', frame: -1, sort: 'self', up: false, dark: null };
	let panes = [], found = null, selected = null, reversed = null, colors = [];

	function text(frame) {
		return frame < 0 ? 'all' : names[frame];
	}

	/* The node of everything is called after the tree. */
	function nameIn(tree, frame) {
		return frame < 0 && tree.name ? tree.name : text(frame);
	}

	function percent(part) {
		return (main.total ? 100 * part / main.total : 0).toFixed(2) + '%';
	}

	function count(number) {
		return number.toLocaleString('en-US');
	}

	/* --- colours: those of the style sheet, so that all pictures have the same -------------------------------- */

	function readColors() {
		const probe = document.createElement('div'), all = document.createElement('div');
		all.className = 'colors ' + data.palette;
		all.appendChild(probe);
		document.body.appendChild(all);
		const colorOf = (name) => { probe.className = name; return getComputedStyle(probe).fill; };
		colors = [];
		for (let kind = 0; kind < data.letters.length; kind++)
			for (let shade = 0; shade < 4; shade++)
				colors.push(colorOf(data.letters[kind] + shade));
		colors.rest = colorOf('r');
		for (const name of ['p0', 'p1', 'p2', 'p3', 'm0', 'm1', 'm2', 'm3', 'z0'])
			colors[name] = colorOf(name);
		all.remove();
		const style = getComputedStyle(document.documentElement);
		colors.page = style.getPropertyValue('--page');
		colors.ink = style.getPropertyValue('--ink');
		colors.found = style.getPropertyValue('--found');
	}

	function fillLegend() {
		const legend = byId('legend');
		legend.textContent = '';
		const add = (name, color, words) => {
			const item = document.createElement('li');
			item.className = name;
			item.style.background = color;
			item.textContent = words;
			legend.appendChild(item);
		};
		if (main.points && state.view !== 'reversed' && state.view !== 'sandwich') {
			add('p', colors.p3, 'more than before');
			add('m', colors.m3, 'less');
			add('z', colors.z0, 'the same');
			return;
		}
		for (const kind of [...new Set(kinds)].filter((one) => one !== KIND_GROUP).sort())
			add(data.letters[kind], colors[4 * kind], data.kinds[kind]);
	}

	/* --- panes ------------------------------------------------------------------------------------------------- */

	function describe(tree, node, rest) {
		if (rest)
			return count(rest.nodes) + ' frames too narrow to draw: ' + percent(rest.weight);
		const frame = tree.frame[node], words = [];
		if (frame >= 0 && data.dsos[data.frames[frame][1]])
			words.push(data.dsos[data.frames[frame][1]]);
		if (frame >= 0)
			words.push(data.kinds[kinds[frame]]);
		words.push(percent(tree.weight[node]), count(tree.samples[node]) + ' samples');
		if (tree.weight[node] !== tree.samples[node])
			words.push(count(tree.weight[node]) + ' ' + data.unit);
		if (tree.self[node] > 0 && tree.self[node] !== tree.weight[node])
			words.push('itself ' + percent(tree.self[node]));
		if (tree.points && node > 0)
			words.push('before ' + (tree.before[0] ? 100 * tree.before[node] / tree.before[0] : 0).toFixed(2) + '%, ' +
				(tree.points[node] < 0 ? '' : '+') + tree.points[node].toFixed(2) + ' points');
		return nameIn(tree, frame) + ' — ' + words.join(', ');
	}

	/* A scrolled window on a tree: `upward` draws callers below what they call. */
	function makePane(label) {
		const box = document.createElement('div'), canvas = document.createElement('canvas');
		const spacer = document.createElement('div');
		box.className = 'pane';
		spacer.className = 'spacer';
		canvas.tabIndex = 0;
		canvas.setAttribute('role', 'application');
		canvas.setAttribute('aria-roledescription', 'flame graph');
		canvas.setAttribute('aria-label', label + '. Arrows walk, Enter zooms; the table below has the same numbers.');
		canvas.setAttribute('aria-describedby', 'details');
		box.append(canvas, spacer);
		const pane = { box, canvas, spacer, tree: null, upward: true, zoom: 0, focus: 0 };
		box.addEventListener('scroll', () => draw(pane));
		canvas.addEventListener('mousemove', (event) => {
			const hit = hitTest(pane, event);
			byId('details').textContent = hit ? describe(pane.tree, hit.node, hit.rest) : '';
			canvas.title = hit ? byId('details').textContent : '';
		});
		canvas.addEventListener('mouseleave', showSelected);
		canvas.addEventListener('click', (event) => {
			const hit = hitTest(pane, event);
			if (hit && !hit.rest) {
				select(pane, hit.node);
				zoom(pane, hit.node);
			}
		});
		canvas.addEventListener('focus', () => select(pane, pane.focus));
		canvas.addEventListener('keydown', (event) => onPaneKey(pane, event));
		return pane;
	}

	function contentHeight(pane) {
		return Math.max((pane.tree.height + 1) * ROW, pane.box.clientHeight);
	}

	function rowTop(pane, depth) {
		const y = pane.upward ? contentHeight(pane) - (depth + 1) * ROW : depth * ROW;
		return y - pane.box.scrollTop;
	}

	/* Pixels from the left for a weight, so that the zoomed node takes the whole width. */
	function scaleOf(pane) {
		const { tree, zoom: zoomed } = pane;
		const weight = tree.weight[zoomed];
		return { from: tree.start[zoomed], scale: weight ? pane.box.clientWidth / weight : 0 };
	}

	/* All siblings from `node` on, which are no wider. */
	function restOf(tree, node) {
		const parent = tree.parent[node];
		const weight = tree.start[parent] + tree.weight[parent] - tree.self[parent] - tree.start[node];
		return { weight, nodes: tree.end[parent] - node, next: tree.end[parent] };
	}

	function setFont(context, kind) {
		context.font = (kind === KIND_KERNEL ? 'italic ' : '') + FONT;
	}

	function drawLabel(context, box, tree, frame, characterWidth) {
		const room = Math.floor((box.width - 6) / characterWidth);
		if (room < MIN_CHARACTERS)
			return;
		const points = Array.from(nameIn(tree, frame).slice(0, 2 * room + 2));
		const label = points.length <= room ? points.join('') : points.slice(0, room - 1).join('') + '…';
		const kind = frame < 0 ? KIND_GROUP : kinds[frame];
		setFont(context, kind);
		context.fillStyle = box.found ? '#fff' : '#111';
		context.fillText(label, box.x + 3, box.y + 13);
		if (kind === KIND_JIT)
			context.fillRect(box.x + 3, box.y + 15, Math.min(label.length * characterWidth, box.width - 6), 1);
		if (kind === KIND_GUESSED || kind === KIND_UNKNOWN) {
			context.strokeStyle = '#333';
			context.setLineDash(kind === KIND_GUESSED ? [4, 2] : [1, 2]);
			context.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 2, ROW - 2);
			context.setLineDash([]);
		}
	}

	function colorOfNode(tree, node) {
		const frame = tree.frame[node];
		if (frame < 0)
			return colors[KIND_GROUP];
		return tree.points ? colors[FlameModel.changeClass(tree.points[node])] : colors[data.frames[frame][2]];
	}

	function drawBox(pane, context, node, box, characterWidth) {
		const frame = pane.tree.frame[node];
		box.found = Boolean(found && frame >= 0 && found[frame]);
		context.globalAlpha = node < pane.zoom && pane.tree.end[node] > pane.zoom ? 0.6 : 1;
		context.fillStyle = box.found ? colors.found : colorOfNode(pane.tree, node);
		context.fillRect(box.x, box.y, Math.max(box.width - 0.5, 0.5), ROW - 1);
		drawLabel(context, box, pane.tree, frame, characterWidth);
		context.globalAlpha = 1;
		if (selected && selected.pane === pane && selected.node === node) {
			context.strokeStyle = colors.ink;
			context.lineWidth = 2;
			context.strokeRect(box.x + 1, box.y + 1, Math.max(box.width - 2, 1), ROW - 3);
			context.lineWidth = 1;
		}
	}

	/* Only what the window shows: a node that is beside it, above it or too narrow takes all below it along. */
	function walk(pane, visit, visitRest) {
		const { tree } = pane, { from, scale } = scaleOf(pane);
		const width = pane.box.clientWidth, height = pane.box.clientHeight;
		const lowest = pane.upward ? Math.ceil((contentHeight(pane) - pane.box.scrollTop) / ROW) :
			Math.ceil((pane.box.scrollTop + height) / ROW);
		for (let i = 0; i < tree.count;) {
			const left = (tree.start[i] - from) * scale, right = left + tree.weight[i] * scale;
			if (right <= 0 || left >= width || tree.depth[i] > lowest) {
				i = tree.end[i];
				continue;
			}
			const box = { x: Math.max(left, 0), y: rowTop(pane, tree.depth[i]) };
			box.width = Math.min(right, width) - box.x;
			if (i > 0 && right - left < NARROWEST) {
				const rest = restOf(tree, i);
				box.width = Math.min(rest.weight * scale, width - box.x);
				if (box.y > -ROW && box.y < height)
					visitRest(rest, box);
				i = rest.next;
				continue;
			}
			if (box.y > -ROW && box.y < height)
				visit(i, box);
			i++;
		}
	}

	function draw(pane) {
		if (!pane.tree)
			return;
		const ratio = window.devicePixelRatio || 1, width = pane.box.clientWidth, height = pane.box.clientHeight;
		if (pane.canvas.width !== Math.round(width * ratio) || pane.canvas.height !== Math.round(height * ratio)) {
			pane.canvas.width = Math.round(width * ratio);
			pane.canvas.height = Math.round(height * ratio);
			pane.canvas.style.height = height + 'px';
		}
		const context = pane.canvas.getContext('2d', { alpha: false });
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.fillStyle = colors.page;
		context.fillRect(0, 0, width, height);
		setFont(context, KIND_GROUP);
		const characterWidth = context.measureText('MMMMMMMMMM').width / 10;
		walk(pane, (node, box) => drawBox(pane, context, node, box, characterWidth), (rest, box) => {
			context.fillStyle = colors.rest;
			context.fillRect(box.x, box.y, Math.max(box.width, 0.5), ROW - 1);
			const label = count(rest.nodes) + ' frames';
			setFont(context, KIND_GROUP);
			context.fillStyle = '#111';
			if (box.width > (label.length + 1) * characterWidth)
				context.fillText(label, box.x + 3, box.y + 13);
		});
	}

	function hitTest(pane, event) {
		const bounds = pane.canvas.getBoundingClientRect();
		const x = event.clientX - bounds.left, y = event.clientY - bounds.top;
		let hit = null;
		walk(pane, (node, box) => {
			if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + ROW)
				hit = { node };
		}, (rest, box) => {
			if (x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + ROW)
				hit = { node: -1, rest };
		});
		return hit;
	}

	/* So that the node stands where reading begins: at the bottom of flames, at the top of icicles. */
	function scrollTo(pane, node) {
		const y = rowTop(pane, pane.tree.depth[node]) + pane.box.scrollTop, height = pane.box.clientHeight;
		pane.box.scrollTop = pane.upward ? y + 3 * ROW - height : y - 2 * ROW;
	}

	function showTree(pane, tree, upward) {
		pane.tree = tree;
		pane.upward = upward;
		pane.zoom = pane.focus = 0;
		pane.spacer.style.height = (tree.height + 1) * ROW + 'px';
	}

	/* --- state ------------------------------------------------------------------------------------------------- */

	function select(pane, node) {
		selected = { pane, node };
		pane.focus = node;
		for (const id of ['sandwich', 'copy-name', 'copy-stack'])
			byId(id).disabled = pane.tree.frame[node] < 0;
		showSelected();
		panes.forEach(draw);
	}

	function showSelected() {
		byId('details').textContent = selected ? describe(selected.pane.tree, selected.node) : '';
	}

	function zoom(pane, node) {
		pane.zoom = node;
		if (pane.tree === main)
			state.zoom = node;
		scrollTo(pane, node);
		draw(pane);
		fillTable();
		updateMatched();
		remember();
	}

	function showAll() {
		if (state.view === 'sandwich' && panes.every((pane) => pane.zoom === 0)) {
			state.view = 'flame';
			showView();
			return;
		}
		panes.forEach((pane) => zoom(pane, 0));
	}

	function replacePanes(wanted) {
		panes = wanted.map(([label, tree, upward]) => {
			const pane = makePane(label);
			showTree(pane, tree, upward);
			return pane;
		});
		byId('panes').replaceChildren(...panes.map((pane) => pane.box));
		selected = null;
	}

	function showView() {
		if (state.view === 'sandwich' && state.frame < 0)
			state.frame = hottest();
		byId('view').value = state.view;
		if (state.view === 'sandwich') {
			const callers = FlameModel.callers(main, state.frame), callees = FlameModel.callees(main, state.frame);
			callers.name = 'Callers';
			callees.name = 'Callees';
			replacePanes([['Callers of ' + text(state.frame), callers, true],
				['Callees of ' + text(state.frame), callees, false]]);
		} else if (state.view === 'reversed') {
			reversed = reversed || FlameModel.reversed(main);
			replacePanes([['Reversed flame graph', reversed, !data.inverted]]);
		} else {
			replacePanes([['Flame graph', main, state.view === 'flame']]);
			panes[0].zoom = panes[0].focus = state.zoom;
		}
		panes.forEach((pane) => { scrollTo(pane, pane.zoom); draw(pane); });
		fillLegend();
		fillTable();
		updateMatched();
		remember();
	}

	function hottest() {
		const { self } = sums();
		let best = -1;
		kinds.forEach((kind, frame) => {
			if (kind !== KIND_GROUP && (best < 0 || self[frame] > self[best]))
				best = frame;
		});
		return best;
	}

	function showSandwich(frame) {
		state.view = 'sandwich';
		state.frame = frame;
		showView();
		select(panes[0], panes[0].tree.count > 1 ? 1 : 0);
	}

	function setQuery(query) {
		state.query = query;
		byId('query').value = query;
		found = null;
		let problem = '';
		if (query) {
			try {
				const matches = FlameModel.matcher(query);
				found = names.map((name) => (matches(name) ? 1 : 0));
			} catch (error) {
				problem = error.message;
			}
		}
		updateMatched(problem);
		panes.forEach(draw);
		fillTable();
		remember();
	}

	function updateMatched(problem) {
		const output = byId('matched');
		if (!found) {
			output.textContent = problem || '';
			return;
		}
		const { weight, nodes } = FlameModel.matched(main, state.zoom, found);
		output.textContent = percent(weight) + ' matched, ' + count(nodes) + ' frames';
	}

	function setTheme(dark) {
		state.dark = dark;
		const preferred = window.matchMedia('(prefers-color-scheme: dark)').matches;
		const on = dark === null ? preferred : dark;
		document.documentElement.classList.toggle('dark', on);
		byId('theme').setAttribute('aria-pressed', String(on));
		readColors();
		panes.forEach(draw);
	}

	function toggleTheme() {
		setTheme(!document.documentElement.classList.contains('dark'));
		remember();
	}

	const WORDS = { v: 'view', n: 'zoom', q: 'query', f: 'frame', s: 'sort', u: 'up', d: 'dark' };
	const USUAL = { ...state };

	function remember() {
		const words = Object.keys(WORDS).filter((letter) => state[WORDS[letter]] !== USUAL[WORDS[letter]])
			.map((letter) => letter + '=' + encodeURIComponent(String(state[WORDS[letter]])));
		try {
			history.replaceState(null, '', '#' + words.join('&'));
		} catch (error) {
			/* Some places where pages are shown have no history. */
		}
	}

	function readHash() {
		Object.assign(state, USUAL);
		for (const word of location.hash.slice(1).split('&')) {
			const member = WORDS[word[0]];
			let value = word.slice(2);
			try {
				value = decodeURIComponent(value);
			} catch (error) {
				/* taken as it is */
			}
			if (!member || word[1] !== '=')
				continue;
			if (member === 'zoom' || member === 'frame') {
				const limit = member === 'zoom' ? main.count : names.length;
				if (/^\d+$/.test(value) && Number(value) < limit)
					state[member] = Number(value);
			} else if (member === 'up' || member === 'dark') {
				state[member] = value === 'true';
			} else if (member === 'query' || isOneOf(member, value)) {
				state[member] = value;
			}
		}
	}

	function isOneOf(member, value) {
		const allowed = member === 'view' ? [...byId('view').options].map((option) => option.value) :
			['self', 'total', 'samples', 'name'];
		return allowed.includes(value);
	}

	/* --- the table --------------------------------------------------------------------------------------------- */

	let sumsOfAll = null, sumsOfZoom = null;

	function sums() {
		sumsOfAll = sumsOfAll || FlameModel.functions(main, 0, names.length);
		if (!state.zoom)
			return sumsOfAll;
		if (!sumsOfZoom || sumsOfZoom.zoom !== state.zoom) {
			sumsOfZoom = FlameModel.functions(main, state.zoom, names.length);
			sumsOfZoom.zoom = state.zoom;
		}
		return sumsOfZoom;
	}

	function order(columns) {
		const column = columns[state.sort], step = state.up ? 1 : -1;
		if (!column)
			return (a, b) => (names[a] < names[b] ? step : names[a] > names[b] ? -step : a - b);
		return (a, b) => step * (column[a] - column[b]) || a - b;
	}

	function addRow(body, frame, columns) {
		const row = body.insertRow(), button = document.createElement('button');
		row.classList.toggle('found', Boolean(found && found[frame]));
		row.insertCell().textContent = percent(columns.self[frame]);
		row.insertCell().textContent = percent(columns.total[frame]);
		row.insertCell().textContent = count(columns.samples[frame]);
		button.type = 'button';
		button.textContent = names[frame];
		button.addEventListener('click', () => showSandwich(frame));
		row.insertCell().appendChild(button);
		row.insertCell().textContent = data.dsos[data.frames[frame][1]];
	}

	function fillTable() {
		const columns = sums(), shown = [];
		for (let frame = 0; frame < names.length; frame++)
			if (columns.samples[frame] && kinds[frame] !== KIND_GROUP && (!found || found[frame]))
				shown.push(frame);
		shown.sort(order(columns));
		const body = document.createElement('tbody');
		body.id = 'rows';
		shown.slice(0, MOST_ROWS).forEach((frame) => addRow(body, frame, columns));
		byId('rows').replaceWith(body);
		byId('functions-title').textContent = 'Functions' + (state.zoom ? ' below ' + text(main.frame[state.zoom]) : '') +
			(found ? ' that match' : '') + ': ' + count(shown.length);
		byId('more').textContent = shown.length > MOST_ROWS ? count(shown.length - MOST_ROWS) + ' more' : '';
		document.querySelectorAll('[data-sort]').forEach((button) => {
			const header = button.parentNode;
			if (button.dataset.sort === state.sort)
				header.setAttribute('aria-sort', state.up ? 'ascending' : 'descending');
			else
				header.removeAttribute('aria-sort');
		});
	}

	/* --- keys and clicks --------------------------------------------------------------------------------------- */

	function neighbour(pane, step) {
		const { tree, focus } = pane;
		for (let i = focus + step; i > 0 && i < tree.count; i += step)
			if (tree.depth[i] === tree.depth[focus])
				return i;
		return focus;
	}

	function step(pane, key) {
		const { tree, focus } = pane, away = pane.upward ? 'ArrowUp' : 'ArrowDown';
		if (key === 'ArrowLeft' || key === 'ArrowRight')
			return neighbour(pane, key === 'ArrowLeft' ? -1 : 1);
		if (key === away)
			return tree.end[focus] > focus + 1 ? focus + 1 : focus;
		return Math.max(tree.parent[focus], 0);
	}

	function reveal(pane) {
		const y = rowTop(pane, pane.tree.depth[pane.focus]);
		if (y < 0 || y > pane.box.clientHeight - ROW)
			scrollTo(pane, pane.focus);
	}

	function onPaneKey(pane, event) {
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (event.key.startsWith('Arrow')) {
			select(pane, step(pane, event.key));
			reveal(pane);
		} else if (event.key === 'Enter' || event.key === ' ') {
			zoom(pane, pane.focus);
		} else if (event.key === 's' && pane.tree.frame[pane.focus] >= 0) {
			showSandwich(pane.tree.frame[pane.focus]);
			panes[0].canvas.focus();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	function onKey(event) {
		const typing = event.target.closest('input, select, dialog');
		if (event.altKey || event.metaKey || event.ctrlKey || event.defaultPrevented)
			return;
		if (event.key === 'Escape' && !event.target.closest('dialog')) {
			if (typing && state.query)
				setQuery('');
			else
				showAll();
		} else if (typing) {
			return;
		} else if (event.key === '/') {
			byId('query').focus();
		} else if (event.key === 't') {
			toggleTheme();
		} else if (event.key === 'v') {
			const options = byId('view').options;
			state.view = options[(byId('view').selectedIndex + 1) % options.length].value;
			showView();
		} else if (event.key === '?') {
			byId('keys').showModal();
		} else {
			return;
		}
		event.preventDefault();
	}

	function copy(words) {
		const done = () => { byId('details').textContent = 'Copied: ' + words; };
		if (navigator.clipboard) {
			navigator.clipboard.writeText(words).then(done, () => { byId('details').textContent = words; });
			return;
		}
		byId('details').textContent = words;
	}

	function selectedStack() {
		return FlameModel.path(selected.pane.tree, selected.node).map(text).join(';');
	}

	function sortBy(column) {
		state.up = state.sort === column ? !state.up : column === 'name';
		state.sort = column;
		fillTable();
		remember();
	}

	function listen() {
		byId('view').addEventListener('change', (event) => { state.view = event.target.value; showView(); });
		byId('query').addEventListener('input', (event) => setQuery(event.target.value));
		byId('reset').addEventListener('click', showAll);
		byId('theme').addEventListener('click', toggleTheme);
		byId('help').addEventListener('click', () => byId('keys').showModal());
		byId('sandwich').addEventListener('click', () => showSandwich(selected.pane.tree.frame[selected.node]));
		byId('copy-name').addEventListener('click', () => copy(text(selected.pane.tree.frame[selected.node])));
		byId('copy-stack').addEventListener('click', () => copy(selectedStack()));
		byId('copy-command').hidden = !data.command;
		byId('copy-command').title = 'The xprof report that prints the numbers of the table: ' + data.command;
		byId('copy-command').addEventListener('click', () => copy(data.command));
		document.querySelectorAll('[data-sort]').forEach((button) =>
			button.addEventListener('click', () => sortBy(button.dataset.sort)));
		document.addEventListener('keydown', onKey);
		window.addEventListener('hashchange', showState);
		window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setTheme(state.dark));
		new ResizeObserver(() => panes.forEach(draw)).observe(byId('panes'));
	}

	function showState() {
		readHash();
		setTheme(state.dark);
		const query = state.query;
		showView();
		setQuery(query);
	}

	USUAL.view = state.view = data.inverted ? 'icicle' : 'flame';
	byId('title').textContent = data.title;
	byId('about').textContent = data.about.join('\n');
	byId('trust').hidden = data.about.length === 0;
	listen();
	showState();
})();
