import { expect, test } from 'vitest';
import { usedCode } from './used-code.ts';

const MODULE = `import { defineScenario } from 'salvo';
import { LIMIT, other as renamed } from './limits.ts';
import { agent } from './agent.ts';
import type { Row } from './row.ts';

const SHARE = 0.9;
const SYSTEM = 'Be polite.';
function enough(count: number): boolean {
  return count >= LIMIT * SHARE;
}

export default defineScenario({
  agent,
  system_prompt: SYSTEM,
  assertions: [({ row }) => enough(row.count)],
});
`;

test('finds the constants that a function uses, in its module and among the imports', () => {
  const used = usedCode(MODULE, { name: '', source: '({ row }) => enough(row.count)' });
  expect(used.specifiers).toEqual(['./limits.ts']);
  expect(used.texts.slice(1)).toEqual([
    'const SHARE = 0.9;',
    'function enough(count: number): boolean {\n  return count >= LIMIT * SHARE;\n}',
  ]);
});

test('finds the module of a function that is itself imported, also under another name', () => {
  expect(usedCode(MODULE, { name: 'other', source: '() => hidden' }).specifiers).toEqual(['./limits.ts']);
});

test('leaves out the agent and the prompts, which may change', () => {
  expect(usedCode(MODULE, { name: 'check', source: '() => true' })).toEqual({ texts: [], specifiers: [] });
});
