import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { codeBlocks } from '../../scripts/code-blocks.ts';
import { missingQuote } from '../../scripts/quoted-output.ts';
import { readmeCommand, readmeSteps, unusedExceptions } from '../../scripts/readme-commands.ts';
import { startReadmeSession } from '../../scripts/readme-session.ts';
import { pictureText } from '../../scripts/terminal-picture.ts';
import { builtPackage } from '../built-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const built = await builtPackage();
const steps = readmeSteps(readme).map((step) => ({ ...step, name: step.commands.join('; ') }));

describe('the commands of the README, in their order, in a fresh copy', () => {
  const session = startReadmeSession(ROOT, { dist: join(built, 'dist') });
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
    // `npm run readme` puts into the README what the commands print now.
    if (quotation !== null) expect(missingQuote(quotation.text, all)).toBe(null);
  });
});

describe('the README', () => {
  it('marks every block as commands (sh), their output (text) or a file (yaml)', () => {
    const fences = [...readme.matchAll(/^```(\w*)$/gm)].map(([, language = '']) => language);
    expect([...new Set(fences.filter((_, index) => index % 2 === 0))].sort()).toEqual(['sh', 'text', 'yaml']);
  });

  it('quotes the scenario of the starter as it is', () => {
    const starter = parse(readFileSync(join(ROOT, 'examples/starter/scenarios/weather.yaml'), 'utf8'));
    const quoted = parse(codeBlocks(readme).find(({ text }) => text.startsWith('prompt: Do I need'))?.text ?? '');
    expect(Object.keys(quoted)).toEqual(['prompt', 'tools', 'assertions', 'min_pass_rate']);
    expect(starter).toMatchObject(quoted);
  });

  it('needs every exception to running its commands as they are', () => {
    expect(unusedExceptions(readme)).toEqual([]);
  });
});
