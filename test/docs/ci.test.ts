import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { splitWords } from '../../action/split-words.ts';
import { codeBlocks } from '../../scripts/code-blocks.ts';
import { parseCommandLine } from '../parse-command-line.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = readFileSync(resolve(ROOT, 'docs/ci.md'), 'utf8');
const documents = codeBlocks(text)
  .filter(({ language }) => language === 'yaml')
  .map((block) => parse(block.text, { strict: true }) as unknown);
const { inputs } = z
  .object({ inputs: z.record(z.string(), z.unknown()) })
  .parse(parse(readFileSync(resolve(ROOT, 'action/action.yml'), 'utf8')));

interface Step {
  uses: string;
  with: Record<string, string>;
}

/** Every step that uses the Action, wherever it is in a document. */
function stepsIn(value: unknown): Step[] {
  if (typeof value !== 'object' || value === null) return [];
  const step = z
    .object({ uses: z.string(), with: z.record(z.string(), z.coerce.string()).default({}) })
    .safeParse(value);
  if (step.success) return [step.data];
  return Object.values(value).flatMap(stepsIn);
}

const uses = documents.flatMap(stepsIn).filter((step) => step.uses.startsWith('OWNER/salvo/action@'));

describe('docs/ci.md', () => {
  test('has workflows that call the Action with inputs and arguments that exist', async () => {
    expect(uses.length).toBeGreaterThanOrEqual(5);
    for (const step of uses) {
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
      const shard = step.with.shard === undefined ? [] : ['--shard', '1/4', '--out', 'parts'];
      const line = [step.with.command ?? 'run', ...splitWords(step.with.args ?? ''), ...shard];
      const { called, text: said } = await parseCommandLine(line);
      expect([line, called.length, said]).toEqual([line, 1, '']);
    }
  });

  test('lists every input of the Action', () => {
    for (const name of Object.keys(inputs)) expect(text).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm'));
  });
});
