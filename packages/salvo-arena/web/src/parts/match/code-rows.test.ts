import { expect, it } from 'vitest';
import { codeLines, differenceRows } from './code-rows.ts';

it('shows what differs from the twin with four lines around it, and says how many lines are left out', () => {
  const twin = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const text = twin.with(20, 'flaw');
  const rows = differenceRows(twin.join('\n'), text.join('\n'));
  expect(rows.map((row) => (row.kind === 'gap' ? `gap of ${row.lines}` : `${row.kind} ${row.text}`))).toEqual([
    'gap of 16',
    ...['line 17', 'line 18', 'line 19', 'line 20'].map((line) => `same ${line}`),
    'removed line 21',
    'added flaw',
    ...['line 22', 'line 23', 'line 24', 'line 25'].map((line) => `same ${line}`),
    'gap of 15',
  ]);
});

it.each([
  [null, 'a\nb\n', ['added', 'added']],
  ['a\r\nb', null, ['removed', 'removed']],
  ['a\nb\n', 'a\r\nb\r\n', ['gap']],
])('a file that is %j in the twin and %j in the code', (twin, text, kinds) => {
  expect(differenceRows(twin, text).map(({ kind }) => kind)).toEqual(kinds);
});

it('an empty file has one line, and a last line break adds none', () => {
  expect([codeLines(''), codeLines('a\n'), codeLines('a\n\n')]).toEqual([[''], ['a'], ['a', '']]);
});
