import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks } from '../../scripts/code-blocks.ts';
import { missingQuote } from '../../scripts/quoted-output.ts';
import { readmeCommand, readmePages, readmeSteps, unusedExceptions } from '../../scripts/readme-commands.ts';
import { startReadmeSession } from '../../scripts/readme-session.ts';
import { pictureText } from '../../scripts/terminal-picture.ts';
import { builtPackage } from '../built-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const built = join(await builtPackage(), '..');
const pages = readmePages(ROOT).map((page) => ({ page, text: readFileSync(join(ROOT, page), 'utf8') }));
const readme = pages[0]?.text ?? '';
const runnable = pages
  .map(({ page, text }) => ({
    page,
    steps: readmeSteps(text).map((step) => ({ ...step, name: step.commands.join('; ') })),
  }))
  .filter(({ steps }) => steps.length > 0);

describe.each(runnable)('the commands of $page, in their order, in a fresh copy', ({ steps }) => {
  const session = startReadmeSession(ROOT, { built });
  afterAll(() => session[Symbol.dispose]());

  it.each(steps)('$name', { timeout: 240_000 }, async ({ commands, quotation }) => {
    let all = '';
    for (const command of commands) {
      const { line, codes, prints = /^/ } = readmeCommand(command);
      if (line === null) continue;
      const { code, printed } = await session.run(line);
      expect(codes, `${command}\n${printed}`).toContain(code);
      expect(printed).toMatch(prints);
      all += printed;
    }
    if (commands.includes('npm install && npm run demo')) {
      const picture = readFileSync(join(ROOT, 'docs/demo.svg'), 'utf8');
      expect(missingQuote(pictureText(picture), all)).toBe(null);
    }
    // `npm run readme` puts into the pages what the commands print now.
    if (quotation !== null) expect(missingQuote(quotation.text, all)).toBe(null);
  });
});

describe('the README', () => {
  it('marks every block as commands (sh), their output (text) or a file (yaml)', () => {
    const fences = [...readme.matchAll(/^```(\w*)$/gm)].map(([, language = '']) => language);
    expect([...new Set(fences.filter((_, index) => index % 2 === 0))].sort()).toEqual(['sh', 'text', 'yaml']);
  });

  it('leaves the story of the other packages to their own pages', () => {
    expect(runnable.map(({ page }) => page)).toEqual(['README.md', 'packages/salvo-arena/README.md']);
    for (const name of ['salvo-arena', 'salvo-postgres']) expect(readme).toContain(`](packages/${name}/README.md)`);
  });

  it('quotes the scenario of the starter as it is', () => {
    const starter = parse(readFileSync(join(ROOT, 'examples/starter/scenarios/weather.yaml'), 'utf8'));
    const quoted = parse(codeBlocks(readme).find(({ text }) => text.startsWith('prompt: Do I need'))?.text ?? '');
    expect(Object.keys(quoted)).toEqual(['prompt', 'tools', 'assertions', 'min_pass_rate']);
    expect(starter).toMatchObject(quoted);
  });

  it('and the others need every exception to running their commands as they are', () => {
    expect(unusedExceptions(pages.map(({ text }) => text))).toEqual([]);
  });
});
