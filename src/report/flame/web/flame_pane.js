/* A scrolled view of a tree, of which a canvas shows the visible part. The page provides `look`: colorOf(tree, node),
 * kindOf(tree, node), nameOf(tree, node), isFound(tree, node), percent(weight) and colors(). */
'use strict';
const FlamePane = (function () {
	const { ROW } = FlamePaint;
	const NARROWEST = 0.7, NARROWEST_NAME = 20; /* pixels; narrower frames are drawn as one, or without their names */

	function create(label, look, on) {
		const box = document.createElement('div'), canvas = document.createElement('canvas');
		const spacer = document.createElement('div'), empty = document.createElement('p');
		box.className = 'pane';
		spacer.className = 'spacer';
		empty.className = 'empty';
		empty.textContent = 'No samples here.';
		canvas.tabIndex = 0;
		canvas.setAttribute('role', 'application');
		canvas.setAttribute('aria-roledescription', 'flame graph');
		canvas.setAttribute('aria-label', label + '. Arrows walk, Enter zooms; the table below has the same numbers.');
		canvas.setAttribute('aria-describedby', 'details');
		box.append(canvas, spacer, empty);
		const pane = { box, canvas, spacer, empty, look, label, tree: null, upward: true, zoom: 0, focus: 0, selected: false };
		box.addEventListener('scroll', () => draw(pane));
		canvas.addEventListener('mousemove', (event) => on.hover(pane, hitTest(pane, event)));
		canvas.addEventListener('mouseleave', () => on.hover(pane, null));
		canvas.addEventListener('click', (event) => on.click(pane, hitTest(pane, event)));
		canvas.addEventListener('focus', () => on.focus(pane));
		canvas.addEventListener('keydown', (event) => on.key(pane, event));
		return pane;
	}

	function show(pane, tree, upward) {
		pane.tree = tree;
		pane.upward = upward;
		pane.zoom = pane.focus = 0;
		pane.spacer.style.height = (tree.height + 1) * ROW + 'px';
		pane.empty.hidden = tree.samples[0] > 0;
	}

	function contentHeight(pane) {
		return Math.max((pane.tree.height + 1) * ROW, pane.box.clientHeight);
	}

	/* Flames keep their lower edge when the window changes, because reading begins there. */
	function resize(pane) {
		const height = pane.box.clientHeight;
		if (pane.upward && pane.height && height !== pane.height)
			pane.box.scrollTop += pane.height - height;
		pane.height = height;
		draw(pane);
	}

	function rowTop(pane, depth) {
		const y = pane.upward ? contentHeight(pane) - (depth + 1) * ROW : depth * ROW;
		return y - pane.box.scrollTop;
	}

	/* Pixels from the left for a weight, so that the zoomed node takes the whole width. */
	function scaleOf(pane) {
		const { tree, zoom } = pane, weight = tree.weight[zoom];
		return { from: tree.start[zoom], scale: weight ? pane.box.clientWidth / weight : 0 };
	}

	/* The sum of `node` and its later siblings, which are no wider. */
	function restOf(tree, node) {
		const parent = tree.parent[node];
		const weight = tree.start[parent] + tree.weight[parent] - tree.self[parent] - tree.start[node];
		return { weight, nodes: tree.end[parent] - node, next: tree.end[parent] };
	}

	/* Visits only what the window shows: below a node that is beside it, above it or too narrow, nothing is visited. */
	function walk(pane, visit, visitRest) {
		const { tree } = pane, { from, scale } = scaleOf(pane);
		const width = pane.box.clientWidth, height = pane.box.clientHeight; /* read once, because it is slow */
		const root = rowTop(pane, 0), step = pane.upward ? -ROW : ROW;
		const lowest = pane.upward ? Math.ceil((root + ROW) / ROW) : Math.ceil((height - root) / ROW);
		for (let i = 0; i < tree.count;) {
			const left = (tree.start[i] - from) * scale, right = left + tree.weight[i] * scale;
			if (right <= 0 || left >= width || tree.depth[i] > lowest) {
				i = tree.end[i];
				continue;
			}
			const box = { x: Math.max(left, 0), y: root + tree.depth[i] * step };
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

	function restName(pane, rest) {
		return rest.nodes.toLocaleString('en-US') + (rest.nodes === 1 ? ' frame, ' : ' frames, ') +
			pane.look.percent(rest.weight);
	}

	function outline(context, box, color) {
		context.strokeStyle = color;
		context.lineWidth = 2;
		context.strokeRect(box.x + 1, box.y + 1, Math.max(box.width - 2.5, 1), ROW - 3);
		context.lineWidth = 1;
	}

	/* Draws once before the browser shows what has changed, however much has. */
	function draw(pane) {
		if (pane.asked)
			return;
		pane.asked = true;
		window.requestAnimationFrame(() => {
			pane.asked = false;
			paint(pane);
		});
	}

	function paint(pane) {
		const { tree, look } = pane;
		if (!tree)
			return;
		const width = pane.box.clientWidth, height = pane.box.clientHeight;
		const context = FlamePaint.pen(pane.canvas, width, height), colors = look.colors();
		context.fillStyle = colors.page;
		context.fillRect(0, 0, width, height);
		const letter = FlamePaint.characterWidth(context);
		let focused = null;
		walk(pane, (node, box) => {
			const found = look.isFound(tree, node), above = node < pane.zoom && tree.end[node] > pane.zoom;
			context.globalAlpha = above ? 0.6 : 1;
			box.color = found ? colors.found : look.colorOf(tree, node);
			box.ink = found ? colors['found-ink'] : '#111';
			box.kind = look.kindOf(tree, node);
			box.name = box.width < NARROWEST_NAME ? '' : look.nameOf(tree, node);
			FlamePaint.frame(context, box, letter);
			if (pane.selected && node === pane.focus)
				focused = box;
		}, (rest, box) => {
			box.color = colors.rest;
			box.ink = '#111';
			box.kind = -1;
			box.name = box.width < NARROWEST_NAME ? '' : restName(pane, rest);
			FlamePaint.frame(context, box, letter);
		});
		context.globalAlpha = 1;
		if (focused)
			outline(context, focused, '#000');
	}

	function hitTest(pane, event) {
		const bounds = pane.canvas.getBoundingClientRect();
		const x = event.clientX - bounds.left, y = event.clientY - bounds.top;
		const inside = (box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + ROW;
		let hit = null;
		walk(pane, (node, box) => {
			if (inside(box))
				hit = { node };
		}, (rest, box) => {
			if (inside(box))
				hit = { node: -1, rest };
		});
		return hit;
	}

	/* Where a node is drawn, in pixels of the window; for tests, and for what points at it. */
	function placeOf(pane, node) {
		let place = null;
		walk(pane, (at, box) => {
			if (at === node)
				place = box;
		}, () => {});
		return place;
	}

	/* Scrolls the node to where reading begins: the bottom of flames, the top of icicles. */
	function scrollTo(pane, node) {
		pane.height = pane.box.clientHeight;
		const y = rowTop(pane, pane.tree.depth[node]) + pane.box.scrollTop, height = pane.box.clientHeight;
		pane.box.scrollTop = pane.upward ? y + 3 * ROW - height : y - 2 * ROW;
	}

	function reveal(pane) {
		const y = rowTop(pane, pane.tree.depth[pane.focus]);
		if (y < 0 || y > pane.box.clientHeight - ROW)
			scrollTo(pane, pane.focus);
	}

	function neighbour(tree, focus, way) {
		for (let i = focus + way; i > 0 && i < tree.count; i += way)
			if (tree.depth[i] === tree.depth[focus] && tree.weight[i] > 0)
				return i;
		return focus;
	}

	function firstBelow(tree, node) {
		return tree.end[node] > node + 1 && tree.weight[node + 1] > 0 ? node + 1 : node;
	}

	/* The node that a key leads to from the pane's focus; -1: none. */
	function stepOf(pane, key) {
		const { tree, focus } = pane;
		switch (key) {
		case 'ArrowLeft': return neighbour(tree, focus, -1);
		case 'ArrowRight': return neighbour(tree, focus, 1);
		case 'ArrowUp':
		case 'ArrowDown':
			return (key === 'ArrowUp') === pane.upward ? firstBelow(tree, focus) : Math.max(tree.parent[focus], 0);
		case 'Home': return 0;
		case 'End': {
			let node = focus;
			while (firstBelow(tree, node) !== node)
				node = firstBelow(tree, node);
			return node;
		}
		default: return -1;
		}
	}

	return { create, show, draw, resize, placeOf, scrollTo, reveal, step: stepOf, restName };
})();
