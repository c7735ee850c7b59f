/* Pages of folded stacks as readers use them: node page_test.js BROWSER XPROF DIRECTORY speaks TAP. */
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const tap = require('./tap.js');
const { launch, open } = require('./browser.js');

const [executable, xprof, directory] = process.argv.slice(2);
const is = assert.deepStrictEqual;

/* NAME, folded text, options: a page of it. */
function draw(name, folded, ...options) {
	const text = path.join(directory, name + '.txt'), page = path.join(directory, name + '.html');
	fs.writeFileSync(text, folded);
	execFileSync(xprof, ['flamegraph', '-q', '--folded', text, '--title', name, '-o', page, ...options]);
	return page;
}

const FLAMES = `sh;main;parse;read_line 30
sh;main;parse 10
sh;main;work;parse;read_line 20
sh;main;idle_[k] 25
sh;main;[libx.so] 15
`;
const HOSTILE = Buffer.concat([
	Buffer.from('sh;<script>alert(1)</script>;</title></svg>;main 10\n' +
		'sh;]]>;a"b\'c&d;<!--;<img src=x onerror=alert(1)> 7\nsh;bidi\u202eevil;bad'), Buffer.from([0xff]),
	Buffer.from('utf8;' + 'std::vector<'.repeat(850) + 'int' + '>'.repeat(850) + ' 3\n'),
]);

let browser, reader;
const flames = draw('flames', FLAMES);

async function on(file, options) {
	if (reader)
		await reader.close();
	reader = await open(browser, file, options);
}

const table = {
	async the_table_has_self_total_and_samples() {
		is(await reader.rows(), ['50.00% 50.00% 50 read_line', '25.00% 25.00% 25 idle', '15.00% 15.00% 15 [libx.so]',
			'10.00% 60.00% 60 parse', '0.00% 100.00% 100 sh', '0.00% 100.00% 100 main', '0.00% 20.00% 20 work']);
	},
	async the_canvas_is_painted() {
		assert(await reader.colors('.pane canvas') > 5);
	},
	async the_table_sorts_both_ways_and_says_so() {
		const header = reader.page.locator('[data-sort=total]');
		await header.click();
		is((await reader.rows())[2], '10.00% 60.00% 60 parse');
		is(await reader.page.locator('[aria-sort=descending]').count(), 1);
		await header.click();
		is((await reader.rows())[0], '15.00% 15.00% 15 [libx.so]');
		is(await reader.page.locator('[aria-sort=ascending]').textContent(), 'Total');
		await reader.page.locator('[data-sort=self]').click();
	},
	async a_click_on_a_function_shows_its_callers_and_callees() {
		await reader.page.locator('#rows button', { hasText: 'parse' }).click();
		is(await reader.labels(), ['Callers of parse', 'Callees of parse']);
		await reader.click('reset');
		is(await reader.labels(), ['Flame graph']);
	},
};

const searching = {
	async text_is_searched_in_either_case() {
		await reader.search('READ');
		is(await reader.matched(), '50.00% matched, 2 frames');
		is((await reader.rows()).length, 1);
	},
	async expressions_are_searched_and_nothing_is_counted_twice() {
		await reader.search('/^parse$|read/');
		is(await reader.matched(), '60.00% matched, 2 frames');
	},
	async what_was_found_is_in_the_legend() {
		assert((await reader.text('legend')).includes('found'));
	},
	async a_wrong_expression_is_explained() {
		await reader.search('/(/');
		assert((await reader.matched()).includes('Invalid'));
		is(await reader.page.locator('#query').getAttribute('aria-invalid'), 'true');
	},
	async escape_ends_a_search_and_the_focus_stays() {
		await reader.press('Escape');
		is([await reader.matched(), (await reader.rows()).length, await reader.focused()], ['', 7, 'query']);
	},
};

const walking = {
	async arrows_walk() {
		await reader.focusGraph();
		const seen = [];
		for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'End', 'Home']) {
			await reader.press(key);
			seen.push((await reader.details()).split(' — ')[0]);
		}
		is(seen, ['sh', 'main', 'parse', 'idle', 'parse', 'main', 'read_line', 'all']);
	},
	async a_frame_is_described() {
		await reader.press('ArrowUp', 'ArrowUp', 'ArrowUp');
		is(await reader.details(), 'parse — user, 40.00%, 40 samples, self 10.00%');
	},
	async enter_zooms_and_the_table_follows() {
		await reader.press('Enter');
		is(await reader.title(), '4 functions in stacks through parse, 40 samples');
		is(await reader.rows(), ['75.00% 75.00% 30 read_line', '25.00% 100.00% 40 parse', '0.00% 100.00% 40 sh',
			'0.00% 100.00% 40 main']);
		is(await reader.hash(), '#n=3');
	},
	async percentages_have_one_base_and_the_page_says_which() {
		is(await reader.text('base'), 'percentages are of these samples, 40.00% of all');
		is(await reader.details(), 'parse — user, 100.00%, 40 samples, self 25.00%');
		await reader.press('ArrowUp');
		is(await reader.details(), 'read_line — user, 75.00%, 30 samples');
		await reader.press('ArrowDown', 'ArrowDown');
		is(await reader.details(), 'main — user, 100.00%, 40 samples');
	},
	async the_search_is_within_the_zoom() {
		await reader.search('read');
		is(await reader.matched(), '75.00% matched, 1 frame');
		await reader.search('');
	},
	async escape_shows_all_and_the_focus_stays() {
		await reader.focusGraph();
		await reader.press('Escape');
		is([await reader.hash(), (await reader.rows()).length, await reader.focused()], ['', 7, 'CANVAS']);
	},
	async a_click_zooms() {
		await reader.clickFrame(0.75, 3);
		is(await reader.title(), '5 functions in stacks through work, 20 samples');
		await reader.click('reset');
		is(await reader.hash(), '');
	},
	async the_pointer_is_described() {
		const box = await reader.page.locator('.pane canvas').boundingBox();
		await reader.page.mouse.move(box.x + 10, box.y + box.height - 9);
		is(await reader.details(), 'all — 100.00%, 100 samples');
		await reader.page.mouse.move(0, 0);
	},
};

const views = {
	async a_sandwich_has_callers_and_callees() {
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp', 'ArrowUp', 's');
		is(await reader.labels(), ['Callers of parse', 'Callees of parse']);
		is(await reader.details(), 'parse — user, 100.00%, 60 samples');
		is(await reader.text('base'), 'percentages are of these samples, 60.00% of all');
	},
	async a_sandwich_knows_who_called() {
		await reader.press('ArrowUp');
		is(await reader.details(), 'main — user, 66.67%, 40 samples');
		await reader.press('ArrowRight');
		is(await reader.details(), 'work — user, 33.33%, 20 samples');
	},
	async the_table_is_of_stacks_through_the_function() {
		is((await reader.rows())[0], '83.33% 83.33% 50 read_line');
	},
	async reversed_stacks_begin_with_the_leaf() {
		await reader.choose('view', 'reversed');
		await reader.focusGraph();
		await reader.press('ArrowUp');
		is(await reader.details(), 'read_line — user, 50.00%, 50 samples');
		await reader.press('ArrowUp', 'ArrowUp');
		is(await reader.details(), 'main — user, 30.00%, 30 samples');
	},
	async a_zoom_into_reversed_stacks_takes_the_table_along() {
		await reader.press('Enter');
		is(await reader.title(), '4 functions in stacks that end in main, 30 samples');
		await reader.press('Escape');
	},
	async icicles_grow_downwards() {
		await reader.choose('view', 'icicle');
		await reader.focusGraph();
		await reader.press('ArrowDown');
		is((await reader.details()).split(' — ')[0], 'sh');
	},
	async a_key_changes_the_view_and_the_focus_stays() {
		await reader.press('v');
		is([await reader.page.locator('#view').inputValue(), await reader.focused()], ['reversed', 'CANVAS']);
		await reader.choose('view', 'flame');
	},
	async folded_text_has_no_groups_and_no_times() {
		is(await Promise.all(['#by', '#event', '#weigh', '#time', '#copy-command'].map((id) => reader.page.locator(id).isVisible())),
			[false, false, false, false, false]);
	},
};

const copying = {
	async names_and_stacks_are_copied() {
		const clipboard = () => reader.page.evaluate(() => navigator.clipboard.readText());
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp', 'ArrowUp');
		await reader.click('copy-name');
		await reader.page.waitForFunction(() => document.getElementById('details').textContent.startsWith('Copied'));
		is(await clipboard(), 'parse');
		await reader.focusGraph();
		await reader.press('C');
		await reader.page.waitForFunction(() => document.getElementById('details').textContent.includes(';'));
		is(await clipboard(), 'sh;main;parse');
	},
};

const looks = {
	async there_is_a_dark_mode() {
		const before = await reader.background();
		await reader.click('theme');
		assert.notStrictEqual(await reader.background(), before);
		is(await reader.page.locator('#theme').getAttribute('aria-pressed'), 'true');
		await reader.page.locator('h1').click();
		await reader.press('t');
		is(await reader.background(), before);
	},
	async help_opens_closes_and_gives_the_focus_back() {
		await reader.page.locator('#help').focus();
		await reader.press('?');
		is(await reader.page.locator('#keys').isVisible(), true);
		is(await reader.violations(), []);
		await reader.press('Escape');
		is([await reader.page.locator('#keys').isVisible(), await reader.focused()], [false, 'help']);
	},
	async a_key_goes_to_the_search() {
		await reader.press('/');
		is(await reader.focused(), 'query');
	},
	async tab_reaches_every_control() {
		const seen = new Set();
		await reader.page.locator('h1').click();
		for (let i = 0; i < 40; i++) {
			await reader.press('Tab');
			seen.add(await reader.focused());
		}
		for (const id of ['view', 'query', 'reset', 'theme', 'help', 'functions', 'CANVAS'])
			assert(seen.has(id), id + ' of ' + [...seen]);
	},
	async a_resized_window_is_drawn_anew() {
		await reader.page.setViewportSize({ width: 700, height: 800 });
		await reader.page.waitForFunction(() => document.querySelector('.pane canvas').width === 700);
		await reader.clickFrame(0.75, 3);
		is(await reader.title(), '5 functions in stacks through work, 20 samples');
		await reader.page.setViewportSize({ width: 1200, height: 900 });
		await reader.click('reset');
	},
	async printed_pages_have_the_graph_and_the_table() {
		await reader.page.emulateMedia({ media: 'print' });
		is(await Promise.all(['.pane canvas', '#rows', '#query', '#theme', '#copy-name'].map((one) =>
			reader.page.locator(one).first().isVisible())), [true, true, false, false, false]);
		await reader.page.emulateMedia({ media: 'screen' });
	},
	async no_rule_of_accessibility_is_broken() {
		is(await reader.violations(), []);
		await reader.choose('view', 'sandwich');
		is(await reader.violations(), []);
		await reader.choose('view', 'flame');
	},
};

const addresses = {
	async an_address_brings_everything_back() {
		await on(flames, { hash: 'v=icicle&n=3&q=read%5F&s=total&u=true&d=true' });
		is([await reader.page.locator('#view').inputValue(), await reader.page.locator('#query').inputValue(),
			await reader.matched(), await reader.title(), await reader.page.locator('html').getAttribute('class')],
		['icicle', 'read_', '75.00% matched, 1 frame', '1 matching function in stacks through parse, 40 samples', 'dark']);
		is(await reader.hash(), '#v=icicle&n=3&q=read_&s=total&u=true&d=true');
	},
	async an_address_has_a_sandwich() {
		await on(flames, { hash: 'v=sandwich&f=2&m=1' });
		is(await reader.labels(), ['Callers of parse', 'Callees of parse']);
		is(await reader.hash(), '#v=sandwich&m=1&f=2');
	},
	async a_broken_address_is_survived() {
		await reader.page.evaluate(() => { location.hash = '#v=%ff&n=99999999&q=%&f=x&s=no&zz&d&g=colour&a=3&b=1&e=7'; });
		await reader.page.waitForFunction(() => document.getElementById('query').value === '%');
		is(await reader.labels(), ['Flame graph']);
	},
};

const dark = {
	async the_preferred_scheme_is_taken() {
		await on(flames, { colorScheme: 'dark' });
		is(await reader.page.locator('html').getAttribute('class'), 'dark');
		is(await reader.hash(), '');
	},
	async no_rule_is_broken_in_the_dark() {
		is(await reader.violations(), []);
	},
	async the_scheme_may_change() {
		await reader.page.emulateMedia({ colorScheme: 'light' });
		await reader.page.waitForFunction(() => !document.documentElement.classList.contains('dark'));
	},
};

const phone = {
	async nothing_sticks_out_of_a_phone() {
		await on(flames, { viewport: { width: 375, height: 700 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
		is(await reader.sticksOut(), false);
		is(await reader.violations(), []);
	},
	async the_graph_is_on_the_first_screen_of_a_phone() {
		const { y } = await reader.page.locator('.pane canvas').boundingBox();
		assert(y < 700 / 3, 'it begins at ' + y);
		const time = await reader.page.locator('#facts').boundingBox();
		assert(time.y < 700, 'it ends at ' + time.y);
	},
	async a_tap_zooms() {
		const canvas = reader.page.locator('.pane canvas'), box = await canvas.boundingBox();
		await canvas.tap({ position: { x: box.width * 0.2, y: box.height - 3.5 * 18 } });
		is(await reader.title(), '4 functions in stacks through parse, 40 samples');
	},
	async the_canvas_is_as_sharp_as_the_screen() {
		is(await reader.page.locator('.pane canvas').evaluate((canvas) => canvas.width === 2 * canvas.clientWidth), true);
	},
};

/* Functions of C++ that are inlined; _[i] says so in folded text. */
const VECTOR = 'std::vector<std::pair<std::string, int>, std::allocator<std::pair<std::string, int> > >::push_back';
const INLINED = `sh;main 10
sh;main;${VECTOR}_[i] 30
sh;main;${VECTOR}_[i];std::max<int>_[i] 20
sh;main;${VECTOR}_[i];malloc 40
`;

const inlines = {
	async the_graph_and_the_table_agree_on_self() {
		await on(draw('inlined', INLINED));
		is((await reader.rows()).slice(0, 2), ['60.00% 100.00% 100 main', '40.00% 40.00% 40 malloc']);
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp');
		is(await reader.details(), 'main — user, 100.00%, 100 samples, self 60.00%');
		await reader.press('ArrowUp');
		is(await reader.details(), VECTOR + ' — inlined, 90.00%, 90 samples, self 30.00%, which counts for main');
	},
	async long_names_are_short_in_the_table_and_whole_where_they_are_pointed_at() {
		const long = 'std::map<' + VECTOR.slice(0, -11) + ', ' + VECTOR.slice(0, -11) + '>::operator[]';
		await on(draw('long', 'main;' + long + ' 1\n'));
		is((await reader.rows())[0], '100.00% 100.00% 1 std::map<std::vector<…>, std::vector<…>>::operator[]');
		is(await reader.page.locator('#rows button').first().getAttribute('title'), long);
		await reader.focusGraph();
		await reader.press('End');
		is((await reader.details()).split(' — ')[0], long);
	},
};

const hostile = {
	async hostile_names_are_shown_as_they_are() {
		await on(draw('hostile', HOSTILE));
		const rows = (await reader.rows()).join('\n');
		for (const name of ['<script>alert(1)</script>', '</title></svg>', ']]>', 'a"b\'c&d', '<!--', '<img src=x', 'bidi?evil', 'bad?utf8'])
			assert(rows.includes(name), name);
	},
	async hostile_names_are_no_elements() {
		is(await reader.page.locator('img, svg, iframe, script:not(#data):not(:last-of-type)').count(), 0);
		is(await reader.page.locator('script').count(), 2);
	},
	async hostile_names_are_searched_and_described() {
		await reader.search('<img');
		is(await reader.matched(), '35.00% matched, 1 frame');
		await reader.focusGraph();
		await reader.press('Escape', 'End');
		assert((await reader.details()).startsWith('main — user, 50.00%'));
	},
	async a_long_name_does_not_stick_out() {
		is(await reader.sticksOut(), false);
		await reader.search('vector<');
		is(await reader.matched(), '15.00% matched, 1 frame');
		is(await reader.sticksOut(), false);
	},
	async a_hostile_title_is_text() {
		await on(draw('t', FLAMES, '--title', '</title><script>alert(1)</script>'));
		is(await reader.page.title(), '</title><script>alert(1)</script>');
		is(await reader.text('title'), '</title><script>alert(1)</script>');
	},
};

const extremes = {
	async nothing_is_a_page_that_says_so() {
		await on(draw('nothing', ''));
		is(await reader.page.locator('.empty').isVisible(), true);
		is(await reader.violations(), []);
		await reader.focusGraph();
		await reader.press('ArrowUp', 'Enter', 's', 'v', 'v', 'v');
	},
	async one_sample_is_a_page() {
		await on(draw('one', 'a;b;c 1\n'));
		is(await reader.rows(), ['100.00% 100.00% 1 c', '0.00% 100.00% 1 a', '0.00% 100.00% 1 b']);
	},
	async five_hundred_frames_are_scrolled() {
		await on(draw('deep', Array.from({ length: 500 }, (_, i) => 'f' + i).join(';') + ' 1\n'));
		await reader.focusGraph();
		await reader.press('End');
		is((await reader.details()).split(' — ')[0], 'f499');
		assert(await reader.page.locator('.pane').evaluate((pane) => pane.scrollTop < 400));
	},
	async narrow_frames_are_one_with_their_sum() {
		const narrow = Array.from({ length: 40 }, (_, i) => 'a;wide;n' + i + ' 1').join('\n') + '\n';
		await on(draw('narrow', 'a;wide 99960\n' + narrow));
		await reader.clickFrame(0.5, 2);
		await reader.page.mouse.move(1, 1);
		const canvas = reader.page.locator('.pane canvas'), box = await canvas.boundingBox();
		await reader.page.mouse.move(box.x + 0.3, box.y + box.height - 3.5 * 18);
		is(await reader.details(), '40 frames, 0.04%, too narrow to draw');
	},
};

const changes = {
	async a_change_is_described() {
		const before = path.join(directory, 'before.txt');
		fs.writeFileSync(before, 'sh;a 50\nsh;b 50\n');
		await on(draw('changes', 'sh;a 90\nsh;c 10\n', '--diff', before));
		await reader.focusGraph();
		await reader.press('ArrowUp', 'ArrowUp');
		is(await reader.details(), 'a — user, 90.00%, 90 samples, before 50.00%, +40.00 points (27.84 .. 50.61)');
		is(await reader.text('legend'), 'more than beforelessmay be chance');
	},
	async the_table_has_before_difference_and_interval() {
		const rows = await reader.page.locator('#rows tr').allTextContents();
		is(rows.find((row) => row.endsWith('a')), '90.00%90.00%9050.00%+40.00+27.84 .. +50.61a');
		/* Newcombe: Wilson's limits are 0 and 3.70% of 0 in 100, and 40.38% and 59.62% of 50. */
		is(rows.find((row) => row.endsWith('b')), '0.00%0.00%050.00%-50.00-59.62 .. -39.70b');
	},
	async other_views_are_of_kinds() {
		await reader.choose('view', 'reversed');
		is(await reader.text('legend'), 'user');
	},
};

const pictures = {
	async an_svg_zooms_searches_and_resets() {
		const text = path.join(directory, 'flames.txt'), picture = path.join(directory, 'flames.svg');
		execFileSync(xprof, ['flamegraph', '-q', '--folded', text, '-o', picture]);
		await on(picture);
		await reader.page.locator('#frames g:has-text("parse")').first().click();
		assert((await reader.hash()).includes('n='));
		is(await reader.page.locator('#frames g.hide').count(), 5);
		await reader.page.locator('#reset').click();
		is(await reader.page.locator('#frames g.hide').count(), 0);
		await on(picture, { hash: 'n=3&q=read' });
		is(await reader.text('matched'), 'Matched: 50.00% in 2 frames');
	},
	async a_hostile_svg_has_one_script() {
		const picture = path.join(directory, 'hostile.svg');
		execFileSync(xprof, ['flamegraph', '-q', '--min-width', '0', '--folded', path.join(directory, 'hostile.txt'), '-o', picture]);
		await on(picture, { hash: 'q=%2F%5Bx%5D%2F' });
		is(await reader.page.locator('script').count(), 1);
	},
};

/* Groups of tests, each beginning with a page; at the end of each its page must have had nothing to say. */
const groups = [
	['desktop', flames, [table, searching, walking, views, looks, copying]], ['address', null, [addresses]], ['dark', null, [dark]],
	['phone', null, [phone]], ['inlined', null, [inlines]], ['hostile', null, [hostile]], ['extreme', null, [extremes]], ['diff', null, [changes]],
	['svg', null, [pictures]],
];

(async () => {
	browser = await launch(executable);
	for (const [prefix, file, parts] of groups) {
		if (file)
			await on(file, { permissions: ['clipboard-read', 'clipboard-write'] });
		for (const part of parts)
			await tap.run(Object.fromEntries(Object.entries(part).map(([name, test]) => [prefix + '_' + name, test])));
		await tap.run({ [prefix + '_page_has_no_problems']: () => is(reader.problems, []) });
	}
	await browser.close();
	tap.done();
})();
