import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'docs/decisions';
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const records = globSync(`${FOLDER}/[0-9]*.md`, { cwd: ROOT })
  .map((file) => file.slice(FOLDER.length + 1))
  .sort();

const NUMBERS = String.raw`\[\d{4}\]\([^)]+\)(?: and \[\d{4}\]\([^)]+\))*`;
/** The second line of a record. */
const DATE_AND_STATUS = new RegExp(
  String.raw`^Date: (\d{4}-\d\d-\d\d)\. Status: (in force(?:, (?:adds to|partly replaced by) ${NUMBERS})?|replaced by ${NUMBERS})\.$`,
);

function brokenLinks(page: string): string[] {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, file = '']) => file);
  return links.filter((file) => !existsSync(join(ROOT, dirname(page), file)));
}

describe.each(records)('%s', (file) => {
  const text = read(`${FOLDER}/${file}`);
  const [title = '', line = ''] = text.split('\n');
  const [, date, status] = DATE_AND_STATUS.exec(line) ?? [];

  it('has a title, a date and a status', () => {
    expect(title).toMatch(/^# \D/);
    expect(line).toMatch(DATE_AND_STATUS);
  });

  it('is a page: 400 words at most', () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(400);
  });

  it('names only records that exist', () => {
    expect(brokenLinks(`${FOLDER}/${file}`)).toEqual([]);
    const named = [...text.matchAll(/(?<![\w.,-])(0[01]\d{2})(?![\w.,]*\d|-)/g)].map(([, number = '']) => number);
    expect(named.filter((number) => !records.some((record) => record.startsWith(number)))).toEqual([]);
  });

  it('is in the index once, with its title, date and status', () => {
    const rows = read(`${FOLDER}/README.md`)
      .split('\n')
      .filter((row) => row.startsWith(`| [${file.slice(0, 4)}](`));
    expect(rows).toEqual([`| [${file.slice(0, 4)}](${file}) | ${title.slice(2)} | ${date} | ${status} |`]);
  });
});

test('no two records have the same number', () => {
  expect(new Set(records.map((file) => file.slice(0, 4))).size).toBe(records.length);
});

test('reports and the index link only to files that exist', () => {
  const pages = [`${FOLDER}/README.md`, ...globSync('bench/reports/*.md', { cwd: ROOT })];
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test('whatever names a record names one that exists', () => {
  const pages = ['{packages,test,scripts,bench}/**/*.{ts,tsx}', 'docs/*.md', 'packages/*/README.md', '*.md'];
  const exclude = ['**/node_modules/**', '**/dist/**'];
  const named = globSync(pages, { cwd: ROOT, exclude }).flatMap((page) =>
    [...read(page).matchAll(/decisions\/(\d[\w-]*)/g)].map(([, name = '']) => ({ page, name })),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(
    named.filter(({ name }) => !records.some((file) => [file, `${file.slice(0, 4)}.md`].includes(`${name}.md`))),
  ).toEqual([]);
});
