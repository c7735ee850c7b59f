/* The script of an SVG flame graph. Names are only read and written as text. */
'use strict';
(function () {
	const MARGIN = 10, MIN_CHARACTERS = 3, TOP = 72, BOTTOM = 56;
	const svg = document.documentElement, frames = document.getElementById('frames');
	const details = document.getElementById('details'), matched = document.getElementById('matched');
	const reset = document.getElementById('reset'), search = document.getElementById('search');
	const state = { zoom: 0, query: '', focus: -1 };
	let characterWidth = 7.2;

	/* Callers come before their callees, so a stack of open frames gives each its parent. */
	const nodes = [];
	const open = [];
	for (const g of frames.querySelectorAll('g')) {
		const [start, weight] = g.dataset.v.split(' ').map(Number);
		const rect = g.querySelector('rect'), text = g.querySelector('text');
		const title = g.querySelector('title').textContent;
		const depth = Number(g.dataset.d);
		open.length = depth;
		const parent = depth ? open[depth - 1] : -1;
		open.push(nodes.length);
		nodes.push({
			g, rect, text, title, start, weight, depth, parent, rest: g.classList.contains('r'),
			name: title.slice(0, title.indexOf('\n')),
		});
		g.node = nodes.length - 1;
	}
	const total = nodes.length ? nodes[0].weight : 0;

	function percent(part) {
		return (total ? 100 * part / total : 0).toFixed(2) + '%';
	}

	function inside(node, zoomed) {
		return node.depth >= zoomed.depth && node.start >= zoomed.start &&
			node.start + node.weight <= zoomed.start + zoomed.weight;
	}

	function above(node, zoomed) {
		return node.depth < zoomed.depth && node.start <= zoomed.start &&
			node.start + node.weight >= zoomed.start + zoomed.weight;
	}

	/* The text is made when there is room for it: most frames never need one. */
	function label(node, x, width, pixels) {
		const room = Math.floor((pixels - 6) / characterWidth);
		if (room < MIN_CHARACTERS) {
			if (node.text)
				node.text.textContent = '';
			return;
		}
		if (!node.text) {
			node.text = document.createElementNS(svg.namespaceURI, 'text');
			node.text.setAttribute('y', Number(node.rect.getAttribute('y')) + 11.5);
			node.text.setAttribute('dx', 3);
			node.g.appendChild(node.text);
		}
		node.text.textContent = FlameNames.shorten(node.name, room);
		node.text.setAttribute('x', x + '%');
	}

	function draw() {
		const zoomed = nodes[state.zoom] || nodes[0];
		const all = Number(frames.getAttribute('width'));
		for (const node of nodes) {
			const up = above(node, zoomed), shown = up || inside(node, zoomed);
			node.g.classList.toggle('hide', !shown);
			node.g.classList.toggle('above', up);
			if (!shown)
				continue;
			const x = up || !zoomed.weight ? 0 : 100 * (node.start - zoomed.start) / zoomed.weight;
			const width = up || !zoomed.weight ? 100 : 100 * node.weight / zoomed.weight;
			node.rect.setAttribute('x', x + '%');
			node.rect.setAttribute('width', width + '%');
			label(node, x, width, all * width / 100);
		}
		reset.classList.toggle('hide', state.zoom === 0);
	}

	/* A frame below one that was found is part of it already. */
	function find() {
		let matches = null, sum = 0, count = 0;
		try {
			matches = state.query ? FlameSearch.matcher(state.query) : null;
		} catch (error) {
			matched.textContent = 'No such expression: ' + error.message;
			return;
		}
		nodes.forEach((node) => {
			const found = Boolean(matches) && !node.rest && node.depth > 0 && matches(node.name);
			const counted = node.parent >= 0 && nodes[node.parent].counted;
			node.counted = counted || found;
			if (found)
				count++;
			if (found && !counted)
				sum += node.weight;
			node.g.classList.toggle('found', found);
		});
		matched.textContent = matches ? 'Matched: ' + percent(sum) + ' in ' + count + ' frames' : '';
		search.textContent = matches ? 'Reset search' : 'Search';
	}

	function writeHash() {
		const words = [];
		if (state.zoom)
			words.push('n=' + state.zoom);
		if (state.query)
			words.push('q=' + encodeURIComponent(state.query));
		history.replaceState(null, '', words.length ? '#' + words.join('&') : '#');
	}

	function readHash() {
		state.zoom = 0;
		state.query = '';
		for (const word of location.hash.slice(1).split('&')) {
			const value = word.slice(2);
			if (word.startsWith('n=') && Number(value) < nodes.length)
				state.zoom = Math.max(0, Math.floor(Number(value)) || 0);
			if (word.startsWith('q=')) {
				try {
					state.query = decodeURIComponent(value);
				} catch (error) {
					state.query = value;
				}
			}
		}
	}

	function remember() {
		try {
			writeHash();
		} catch (error) {
			/* Some places where pictures are shown have no history. */
		}
	}

	/* Callees are above a frame, so the frame goes to the bottom of the window; icicles hang from the top. */
	function scroll() {
		nodes[state.zoom].rect.scrollIntoView({ block: svg.dataset.inverted ? 'start' : 'end' });
		window.scrollBy(0, svg.dataset.inverted ? -TOP : BOTTOM);
	}

	function zoom(number) {
		state.zoom = number;
		draw();
		scroll();
		remember();
	}

	function setQuery(query) {
		state.query = query;
		find();
		remember();
	}

	function ask() {
		if (state.query) {
			setQuery('');
			return;
		}
		const answer = window.prompt('Search for text, or /regular expression/', '');
		if (answer)
			setQuery(answer);
	}

	function describe(node) {
		details.textContent = node ? node.title.replace(/\n/g, '  ') : '';
	}

	function focus(number) {
		const node = nodes[number];
		if (!node || node.g.classList.contains('hide'))
			return;
		if (state.focus >= 0) {
			nodes[state.focus].g.classList.remove('focus');
			nodes[state.focus].g.removeAttribute('tabindex');
		}
		state.focus = number;
		node.g.classList.add('focus');
		node.g.setAttribute('tabindex', '0');
		node.g.setAttribute('role', 'button');
		node.g.setAttribute('aria-label', node.title.replace(/\n/g, ', '));
		node.g.focus({ preventScroll: false });
		describe(node);
	}

	function sibling(step) {
		const at = nodes[state.focus];
		for (let i = state.focus + step; nodes[i] && nodes[i].depth >= at.depth; i += step)
			if (nodes[i].depth === at.depth)
				return i;
		return state.focus;
	}

	function child() {
		const next = nodes[state.focus + 1];
		return next && next.parent === state.focus ? state.focus + 1 : state.focus;
	}

	function walk(key) {
		const away = svg.dataset.inverted ? 'ArrowDown' : 'ArrowUp';
		if (state.focus < 0)
			return state.zoom;
		if (key === 'ArrowLeft' || key === 'ArrowRight')
			return sibling(key === 'ArrowLeft' ? -1 : 1);
		return key === away ? child() : nodes[state.focus].parent;
	}

	const HELP = 'Arrows: walk.  Enter: zoom.  Escape: all.  /: search.  0: no search.';

	function onKey(event) {
		if (event.altKey || event.metaKey || (event.ctrlKey && event.key !== 'f'))
			return;
		if (event.key.startsWith('Arrow'))
			focus(walk(event.key));
		else if ((event.key === 'Enter' || event.key === ' ') && event.target.classList.contains('button'))
			event.target.dispatchEvent(new MouseEvent('click', { bubbles: true }));
		else if (event.key === 'Enter' && state.focus >= 0)
			zoom(state.focus);
		else if (event.key === 'Escape')
			zoom(0);
		else if (event.key === '/' || (event.ctrlKey && event.key === 'f'))
			ask();
		else if (event.key === '0')
			setQuery('');
		else if (event.key === '?')
			details.textContent = HELP;
		else
			return;
		event.preventDefault();
	}

	function fit() {
		const width = svg.getBoundingClientRect().width || 1200;
		frames.setAttribute('width', Math.max(100, width - 2 * MARGIN));
		draw();
	}

	function begin() {
		if (!nodes.length)
			return;
		details.textContent = 'M'.repeat(20);
		characterWidth = details.getComputedTextLength() / 20 || 7.2;
		details.textContent = '';
		svg.removeAttribute('viewBox');
		svg.setAttribute('width', '100%');
		frames.addEventListener('click', (event) => {
			const g = event.target.closest('g');
			if (g && g.node !== undefined && !nodes[g.node].rest)
				zoom(g.node);
		});
		frames.addEventListener('mouseover', (event) => describe(nodes[(event.target.closest('g') || {}).node]));
		reset.addEventListener('click', () => zoom(0));
		search.addEventListener('click', ask);
		search.classList.remove('hide');
		window.addEventListener('keydown', onKey);
		window.addEventListener('resize', fit);
		window.addEventListener('hashchange', () => { readHash(); find(); draw(); scroll(); });
		readHash();
		find();
		fit();
		scroll();
	}
	begin();
})();
