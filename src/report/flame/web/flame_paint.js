/* Draws frames for every canvas of the page, also the legend's: colours from the style sheet, patterns that tell kinds apart
 * without colours, and names that fit. */
'use strict';
const FlamePaint = (function () {
	const ROW = 18, FONT = '12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
	const MIN_CHARACTERS = 3, PADDING = 4, PATTERN_FROM = 10; /* pixels */
	const GROUP = 0, USER = 1, KERNEL = 2, JIT = 3, INLINED = 4, GUESSED = 5, UNKNOWN = 6;

	/* One tile of a pattern, in grey that darkens any colour. */
	function tile(context, kind, ratio) {
		const size = 8, canvas = document.createElement('canvas');
		canvas.width = canvas.height = size * ratio;
		const brush = canvas.getContext('2d');
		brush.scale(ratio, ratio);
		brush.strokeStyle = brush.fillStyle = 'rgba(0, 0, 0, 0.17)';
		brush.lineWidth = 1.2;
		brush.beginPath();
		if (kind === KERNEL || kind === UNKNOWN)
			for (const x of [-size, 0, size]) {
				brush.moveTo(x, size);
				brush.lineTo(x + size, 0);
			}
		if (kind === UNKNOWN)
			for (const x of [-size, 0, size]) {
				brush.moveTo(x, 0);
				brush.lineTo(x + size, size);
			}
		if (kind === INLINED)
			for (const y of [1.5, 5.5]) {
				brush.moveTo(0, y);
				brush.lineTo(size, y);
			}
		brush.stroke();
		if (kind === JIT)
			for (const [x, y] of [[2, 2], [6, 6]]) {
				brush.beginPath();
				brush.arc(x, y, 1.1, 0, 7);
				brush.fill();
			}
		const pattern = context.createPattern(canvas, 'repeat');
		pattern.setTransform(new DOMMatrix().scale(1 / ratio));
		return pattern;
	}

	/* The colours that apply now; read again when the theme changes. */
	function readColors(palette, letters) {
		const probe = document.createElement('div'), all = document.createElement('div'), colors = [];
		all.className = 'colors ' + palette;
		all.appendChild(probe);
		document.body.appendChild(all);
		const colorOf = (name) => { probe.className = name; return getComputedStyle(probe).fill; };
		for (const letter of letters)
			for (let shade = 0; shade < 4; shade++)
				colors.push(colorOf(letter + shade));
		colors.rest = colorOf('r');
		for (const name of ['p0', 'p1', 'p2', 'p3', 'm0', 'm1', 'm2', 'm3', 'z0'])
			colors[name] = colorOf(name);
		all.remove();
		const style = getComputedStyle(document.documentElement);
		for (const name of ['page', 'panel', 'ink', 'soft', 'line', 'found', 'found-ink', 'focus', 'heat-low', 'heat-high'])
			colors[name] = style.getPropertyValue('--' + name).trim();
		return colors;
	}

	/* Makes the canvas as large as its box, sharp on any screen; drawing is in CSS pixels. */
	function pen(canvas, width, height) {
		const ratio = window.devicePixelRatio || 1;
		if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
			canvas.width = Math.round(width * ratio);
			canvas.height = Math.round(height * ratio);
			canvas.style.height = height + 'px';
		}
		const context = canvas.getContext('2d', { alpha: false });
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		if (context.patternRatio !== ratio) {
			context.patternRatio = ratio;
			context.patterns = [];
			for (const kind of [KERNEL, JIT, INLINED, UNKNOWN])
				context.patterns[kind] = tile(context, kind, ratio);
		}
		return context;
	}

	function setFont(context, kind) {
		const look = kind === KERNEL ? 'italic ' : kind === GROUP ? '600 ' : '';
		if (context.look !== look || !context.font.startsWith(look)) {
			context.font = look + FONT;
			context.look = look;
		}
	}

	/* Fonts are monospaced: one width for all. */
	function characterWidth(context) {
		context.font = FONT;
		context.look = '';
		return context.measureText('MMMMMMMMMM').width / 10;
	}

	/* A frame: { x, y, width, color, ink, kind, name }; -1 for no kind. */
	function frame(context, box, letter) {
		const width = Math.max(box.width - 0.5, 0.5);
		context.fillStyle = box.color;
		context.fillRect(box.x, box.y, width, ROW - 1);
		if (width >= PATTERN_FROM && context.patterns[box.kind]) {
			context.fillStyle = context.patterns[box.kind];
			context.fillRect(box.x, box.y, width, ROW - 1);
		}
		if (width >= PATTERN_FROM && box.kind === GUESSED) {
			context.strokeStyle = '#333';
			context.setLineDash([3, 2]);
			context.strokeRect(box.x + 0.5, box.y + 0.5, width - 1, ROW - 2);
			context.setLineDash([]);
		}
		const room = Math.floor((box.width - 2 * PADDING) / letter), label = room < MIN_CHARACTERS ? '' : FlameNames.shorten(box.name, room);
		if (!label)
			return;
		setFont(context, box.kind);
		context.fillStyle = box.ink;
		context.fillText(label, box.x + PADDING, box.y + 13);
	}

	/* A legend's sign of a kind. */
	function sign(kind, color) {
		const canvas = document.createElement('canvas');
		canvas.style.width = '22px';
		canvas.setAttribute('aria-hidden', 'true');
		frame(pen(canvas, 22, ROW - 2), { x: 0, y: 0, width: 22.5, color, kind, name: '', ink: '' }, 8);
		return canvas;
	}

	/* Between two colours "#rrggbb"; share 0 to 1. */
	function between(low, high, share) {
		const part = (color, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
		return 'rgb(' + [0, 1, 2].map((i) => Math.round(part(low, i) + (part(high, i) - part(low, i)) * share)).join(',') + ')';
	}

	return {
		ROW, GROUP, USER, KERNEL, JIT, INLINED, GUESSED, UNKNOWN, readColors, pen, characterWidth, frame, sign, between,
	};
})();
