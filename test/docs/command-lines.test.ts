import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeBlocks } from '../../scripts/code-blocks.ts';
import { parseCommandLine } from '../parse-command-line.ts';
import { salvoLines, shellWords } from './command-lines.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'packages/*/README.md'];
const { names } = await parseCommandLine(['adapters']);

/** What is wrong with a command line; null if it calls a command. */
async function complaint(line: string): Promise<string | null> {
  const words = shellWords(line)
    .slice(1)
    // A guide may write [files...] for what can be given.
    .filter((word) => !word.startsWith('['));
  const { called, text } = await parseCommandLine(words);
  return called.length === 1 || words.some((word) => ['--help', '--version'].includes(word)) ? null : text;
}

describe.each(names)('the help of %s', (name) => {
  it('has a group, examples that can be called, and exit codes, in 80 columns', async () => {
    const { text } = await parseCommandLine([name, '--help']);
    const examples = text.slice(text.indexOf('\nExamples:\n'), text.indexOf('\nExit codes:\n')).split('\n');
    const lines = examples.flatMap((line) => (line.startsWith('  salvo ') ? [line.trim().replace(/ {3}.*/, '')] : []));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect([line, await complaint(line)]).toEqual([line, null]);
    expect(lines.filter((line) => line.split(' ')[1] !== name)).toEqual([]);
    expect(text).toMatch(/\n {2}4 {2}wrong usage or input\n$/);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('salvo --help', () => {
  it('has every command once, those for testing agents before those of each package, in 80 columns', async () => {
    const { text } = await parseCommandLine(['--help']);
    expect(text.match(/^\S[^\n]*:$/gm)).toEqual([
      'Options:',
      'Test agents:',
      'Test the judge of a rubric:',
      'Other commands:',
      'Flaws in infrastructure code (salvo-arena):',
      'Many machines (salvo-postgres):',
      'Exit codes:',
    ]);
    for (const name of names) expect(text.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

describe.each(globSync(PAGES, { cwd: ROOT }))('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  it('calls only commands with options that exist', async () => {
    for (const block of codeBlocks(text)) {
      for (const line of salvoLines(block.text)) expect([line, await complaint(line)]).toEqual([line, null]);
    }
  });

  it('links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const broken = links.filter(([, file = '', heading]) => {
      const target = file === '' ? join(ROOT, page) : join(ROOT, dirname(page), file);
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingIds(readFileSync(target, 'utf8')).includes(heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('names only commands that exist', () => {
    const named = [...text.matchAll(/`(?:npx )?salvo ([a-z][\w-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => ![...names, 'help'].includes(name))).toEqual([]);
  });
});

/** As GitHub makes them from the text of a heading. */
function headingIds(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
