import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { figure, type ReportDocument, table } from './document.ts';
import { toLatex } from './latex.ts';
import { toMarkdown } from './markdown.ts';
import { toTerminal } from './terminal.ts';

const rows = [
  { name: 'a_b', rate: '50%', p: '-0.10' },
  { name: 'c|d', rate: '100%', p: '<0.01' },
];
const report: ReportDocument = [
  { heading: 'A title', lines: ['first', { text: '✖ second', tone: 'red' }] },
  table(
    rows,
    [
      { header: 'Name', priority: 2, cell: ({ name }) => name },
      figure('Rate', 1, ({ rate }) => rate),
      figure('p', 0, ({ p }) => p, 'print'),
      figure('Empty', 0, () => ''),
      { header: 'Symbol', priority: 1, cell: () => ({ text: '✔', print: '✔ 1.00' }) },
    ],
    { most: 1, caption: { label: 'names', text: '50% of names' } },
  ),
  { title: 'Found (1)', items: [{ symbol: '✔', text: 'one', below: ['why'] }] },
  { title: 'None', items: [] },
  { only: 'print', lines: ['on paper'] },
  { only: 'terminal', lines: [{ text: '█  here', own: true }] },
];

test('a terminal has its own blocks and columns, and as many rows as it has room for', () => {
  expect(toTerminal(report, { width: 80, color: false })).toBe(
    [
      ...['A title', 'first', '✖ second', ''],
      ...['Name  Rate  Symbol', 'a_b    50%  ✔', 'and 1 more (JSON lists all)', ''],
      ...['Found (1)', '  ✔ one', '      why', ''],
      ...['█  here', ''],
    ].join('\n'),
  );
});

test('Markdown has all rows, icons, and lists that unfold', () => {
  expect(toMarkdown(report)).toBe(
    [
      ...['## A title', '', 'first  ', '**❌ second**  ', ''],
      ...['| Name | Rate | p | Symbol |', '| --- | ---: | ---: | --- |'],
      ...['| a_b | 50% | -0.10 | ✅ 1.00 |', '| c&#124;d | 100% | &lt;0.01 | ✅ 1.00 |', ''],
      ...['<details>', '<summary>Found (1)</summary>', '', '- ✅ one<br>why', '', '</details>', ''],
      ...['on paper  ', ''],
    ].join('\n'),
  );
});

test('LaTeX has the tables with a caption', () => {
  const text = toLatex(report, ['100% of it']);
  expect(text.split('\n')[0]).toBe('% 100\\% of it');
  expect(text).toContain('\\caption{50\\% of names}\n\\label{tab:salvo-names}\n\\begin{tabular}{lrrl}\n');
  expect(text).toContain('  a\\_b & 50\\% & $-$0.10 & ');
  expect(toLatex([table([], [figure('x', 0, () => '')], { caption: { label: 'x', text: 'x' } })], [])).not.toContain(
    'tabular',
  );
});

const section: ReportDocument = [
  {
    symbol: { text: '✖', print: '⛔' },
    title: 'refund',
    mark: { text: 'FAIL', print: '1 of 2 passed' },
    blocks: () => [
      { lines: [{ parts: ['one', 'two', 'a part of many words'] }, { items: [{ symbol: '✔', text: 'met' }] }] },
      table(
        ['x'],
        [
          figure('n', 1, () => '4/20'),
          { header: 'name', priority: 2, cell: (each) => each },
          { header: 'group', place: 'above', cell: () => ({ text: 'above', print: 'g' }) },
          {
            header: 'why',
            place: 'below',
            cell: () => [
              'because',
              table(['c'], [{ header: 'c', cell: (c) => c }, figure('s', 1, () => '0.5')], { bare: true }),
              { text: 'salvo replay', code: true },
            ],
          },
          { header: 'note', priority: 1, place: 'below if narrow', cell: () => 'a note' },
        ],
        { printed: 1 },
      ),
    ],
  },
  { frame: 'red', lines: ['done'], only: 'terminal' },
];

test('a terminal breaks a line between its parts, and has columns above and below their rows', () => {
  const narrow = [
    ...['✖ refund            FAIL', '  one · two', '  a part of many words', '  ✔ met', ''],
    ...['     n  name  note', '  above', '  4/20  x     a note', '        because'],
    ...['        c  0.5', '        salvo replay', ''],
    ...['━'.repeat(24), ' done', '━'.repeat(24), ''],
  ];
  expect(toTerminal(section, { width: 24, color: false }).split('\n')).toEqual(narrow);
});

test('a column that has no room beside the others may be below them', () => {
  const rows = table(
    ['salvo view'],
    [
      { header: 'command', priority: 2, cell: (each) => each },
      { header: 'purpose', priority: 1, place: 'below if narrow', cell: () => 'all conversations' },
    ],
    { bare: true },
  );
  expect(toTerminal([rows], { width: 40, color: false })).toBe('salvo view  all conversations\n');
  expect(toTerminal([rows], { width: 24, color: false })).toBe('salvo view\n  all conversations\n');
});

test('Markdown unfolds a section, and has all columns beside each other', () => {
  expect(toMarkdown(section).split('\n')).toEqual([
    ...['<details>', '<summary>⛔ <b>refund</b>: 1 of 2 passed</summary>', ''],
    ...['one · two · a part of many words  ', '', '- ✅ met', ''],
    ...['| n | name | group | why | note |', '| ---: | --- | --- | --- | --- |'],
    ...['| 4/20 | x | g | because<br>c 0.5<br><code>salvo replay</code> | a note |', '', '</details>', ''],
  ]);
});

describe('a text of an agent', () => {
  const hostile: ReportDocument = HOSTILE_TEXTS.flatMap((text) => [
    { heading: text, lines: [text] },
    table([text], [{ header: text, priority: 1, cell: (each) => each }], { caption: { label: 'x', text } }),
    { title: text, items: [{ symbol: '✖', text, below: [text] }] },
  ]);

  test('cannot move the cursor', () => {
    const text = toTerminal(hostile, { width: 40, color: false });
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });

  test('cannot act in Markdown or LaTeX', () => {
    expect(toMarkdown(hostile)).not.toMatch(/<script|<img|[\u001b\u202e]|(?<!&)[@#]\w/);
    expect(toLatex(hostile, HOSTILE_TEXTS)).not.toMatch(/[\u001b\u202e]|\\input/);
  });
});
