import { expect, it } from 'vitest';
import { fileNamed, type Mark, markAt } from './code-marks.ts';

it.each([
  ['main.tf', 'main.tf'],
  ['/main.tf', 'main.tf'],
  ['./modules/a/main.tf', 'modules/a/main.tf'],
  ['/tmp/scan/modules/a/main.tf', 'modules/a/main.tf'],
  ['x.tf', 'modules/a/x.tf'],
  ['other.tf', null],
])('a report that names %s means %s', (name, expected) => {
  const files = ['main.tf', 'modules/a/main.tf', 'modules/a/x.tf'].map((file) => ({ name: file, text: '' }));
  expect(fileNamed(files, name)).toBe(expected);
});

it('a click on a line means the smallest range around it', () => {
  const mark = (kind: Mark['kind'], index: number, line: number, end_line: number): Mark => ({
    ...{ kind, index, line, end_line, name: '', isMain: true },
    look: { name: 'caught', sign: '✓', look: 'pass' },
  });
  const marks = [mark('finding', 0, 1, 30), mark('finding', 1, 5, 5), mark('flaw', 2, 5, 5), mark('flaw', 3, 8, 12)];
  expect([4, 5, 9, 31].map((line) => markAt(marks, line)?.index ?? null)).toEqual([0, 2, 3, null]);
});
