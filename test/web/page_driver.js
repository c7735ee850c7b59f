/* Put behind a page's own script, it uses the page as a reader would and leaves TAP at its end. */
'use strict';
(async function () {
	const lines = [];
	let problems = 0;
	window.addEventListener('error', () => problems++);
	document.addEventListener('securitypolicyviolation', () => problems++);
	const byId = (id) => document.getElementById(id);
	const details = () => byId('details').textContent;
	const canvases = () => [...document.querySelectorAll('canvas')];
	const rows = () => [...byId('rows').rows].map((row) => [...row.cells].map((cell) => cell.textContent).join(' ').trim());
	const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

	function is(got, expected, name) {
		const fine = JSON.stringify(got) === JSON.stringify(expected);
		lines.push((fine ? 'ok ' : 'not ok ') + (lines.filter((line) => line[0] !== '#').length + 1) + ' - ' + name);
		if (!fine)
			lines.push('# got ' + JSON.stringify(got) + ', expected ' + JSON.stringify(expected));
	}

	function press(key, target) {
		(target || document.activeElement || document.body)
			.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
	}

	function search(query) {
		byId('query').value = query;
		byId('query').dispatchEvent(new Event('input', { bubbles: true }));
		return byId('matched').textContent;
	}

	function choose(view) {
		byId('view').value = view;
		byId('view').dispatchEvent(new Event('change', { bubbles: true }));
	}

	function paintedColors(canvas) {
		const { width, height } = canvas, pixels = canvas.getContext('2d').getImageData(0, 0, width, height).data;
		const seen = new Set();
		for (let i = 0; i < pixels.length; i += 4 * 7)
			seen.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
		return seen.size;
	}

	function table() {
		is(rows(), ['50.00% 50.00% 50 read_line', '25.00% 25.00% 25 idle', '15.00% 15.00% 15 [libx.so]',
			'10.00% 60.00% 60 parse', '0.00% 100.00% 100 sh', '0.00% 100.00% 100 main', '0.00% 20.00% 20 work'],
		'the_table_has_self_total_and_samples');
		document.querySelector('[data-sort=total]').click();
		is(rows()[2], '10.00% 60.00% 60 parse', 'the_table_sorts');
		is(document.querySelectorAll('[aria-sort=descending]').length, 1, 'the_sorted_column_says_so');
		document.querySelector('[data-sort=self]').click();
		is(paintedColors(canvases()[0]) > 4, true, 'the_canvas_is_painted');
	}

	function searching() {
		is(search('READ'), '50.00% matched, 2 frames', 'text_is_searched');
		is(rows().length, 1, 'the_table_follows_the_search');
		is(search('/^parse$/'), '60.00% matched, 2 frames', 'expressions_are_searched_and_nothing_is_counted_twice');
		is(search('/(/').includes('Invalid'), true, 'a_wrong_expression_is_explained');
		search('');
	}

	function walking() {
		canvases()[0].focus();
		const seen = ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'ArrowDown'].map((key) => {
			press(key);
			return details().split(' — ')[0];
		});
		is(seen, ['sh', 'main', 'parse', 'idle', 'parse', 'main'], 'arrows_walk');
		press('ArrowUp');
		press('Enter');
		is(details(), 'parse — user, 40.00%, 40 samples, itself 10.00%', 'a_frame_is_described');
		is(byId('functions-title').textContent, 'Functions below parse: 2', 'the_table_follows_the_zoom');
		is(rows(), ['30.00% 30.00% 30 read_line', '10.00% 40.00% 40 parse'], 'shares_stay_those_of_everything');
		is(location.hash, '#n=3', 'the_address_keeps_the_zoom');
		press('Escape');
		is([location.hash, rows().length], ['', 7], 'escape_shows_all');
	}

	function views() {
		canvases()[0].focus();
		press('s');
		is(canvases().map((canvas) => canvas.getAttribute('aria-label').split('.')[0]),
			['Callers of parse', 'Callees of parse'], 'a_sandwich_has_callers_and_callees');
		is(details().includes('60.00%, 60 samples'), true, 'a_sandwich_adds_up_all_calls');
		choose('reversed');
		canvases()[0].focus();
		press('ArrowUp');
		is(details(), 'read_line — user, 50.00%, 50 samples', 'reversed_stacks_begin_with_the_leaf');
		press('ArrowUp');
		is(details(), 'parse — user, 50.00%, 50 samples', 'reversed_stacks_go_on_with_callers');
		choose('icicle');
		canvases()[0].focus();
		press('ArrowDown');
		is(details().split(' — ')[0], 'sh', 'icicles_grow_downwards');
		press('v');
		is(byId('view').value, 'reversed', 'a_key_changes_the_view');
		choose('flame');
	}

	function looks() {
		const root = document.documentElement, before = getComputedStyle(document.body).backgroundColor;
		byId('theme').click();
		is(root.classList.contains('dark') && before !== getComputedStyle(document.body).backgroundColor, true,
			'there_is_a_dark_mode');
		is(byId('theme').getAttribute('aria-pressed'), 'true', 'the_dark_button_says_that_it_is_pressed');
		press('t', document.body);
		is(root.classList.contains('dark'), false, 'a_key_changes_back');
		press('?', document.body);
		is(byId('keys').open, true, 'help_opens');
		byId('keys').close();
		press('/', document.body);
		is(document.activeElement.id, 'query', 'a_key_goes_to_the_search');
		is(root.scrollWidth <= window.innerWidth, true, 'nothing_sticks_out_at_the_side');
	}

	async function addresses() {
		location.hash = '#v=icicle&n=3&q=read%5F&s=total&u=true&d=true';
		await pause();
		is([byId('view').value, byId('query').value, byId('matched').textContent, byId('functions-title').textContent],
			['icicle', 'read_', '30.00% matched, 1 frames', 'Functions below parse that match: 1'],
			'an_address_brings_everything_back');
		is(location.hash, '#v=icicle&n=3&q=read_&s=total&u=true&d=true', 'and_stays_what_it_was');
		location.hash = '#v=%ff&n=99999999&q=%&f=x&s=no&zz&d';
		await pause();
		is([byId('view').value, byId('query').value, canvases().length], ['flame', '%', 1], 'a_broken_address_is_survived');
	}

	function names() {
		const labelled = [...document.querySelectorAll('button, select, input')].every((element) =>
			element.textContent.trim() || element.closest('label'));
		is(labelled, true, 'all_controls_have_names');
		is(canvases().every((canvas) => canvas.getAttribute('role') && canvas.getAttribute('aria-label')), true,
			'the_canvas_has_a_role_and_a_name');
		is([...document.querySelectorAll('[aria-describedby], [aria-labelledby]')].every((element) =>
			byId(element.getAttribute('aria-describedby') || element.getAttribute('aria-labelledby'))), true,
		'what_is_referred_to_exists');
	}

	function hostile() {
		const shown = rows().join('\n');
		is(document.scripts.length, 3, 'hostile_names_are_no_scripts');
		is(shown.includes('<script>alert(1)<' + '/script>') && shown.includes(']]>') && shown.includes('a"b\'c&d'), true,
			'hostile_names_are_shown_as_they_are');
		is(document.querySelectorAll('img, svg, iframe').length, 0, 'hostile_names_are_no_elements');
	}

	function changes() {
		canvases()[0].focus();
		press('ArrowUp');
		press('ArrowUp');
		is(details(), 'a — user, 90.00%, 90 samples, before 50.00%, +40.00 points', 'a_change_is_described');
		is(byId('legend').textContent, 'more than beforelessthe same', 'the_legend_is_of_changes');
		choose('reversed');
		is(byId('legend').textContent, 'user', 'other_views_are_of_kinds');
	}

	try {
		if (document.title.includes('changes')) {
			changes();
		} else if (document.title.includes('hostile')) {
			hostile();
		} else {
			table();
			searching();
			walking();
			views();
			looks();
			await addresses();
			names();
		}
	} catch (error) {
		is(String(error.stack), '', 'the_driver_runs');
	}
	is(problems, 0, 'nothing_went_wrong_on_the_page');
	lines.push('1..' + lines.filter((line) => line[0] !== '#').length);
	const tap = document.createElement('pre');
	tap.id = 'tap';
	tap.textContent = '\n' + lines.join('\n') + '\n';
	document.body.appendChild(tap);
})();
