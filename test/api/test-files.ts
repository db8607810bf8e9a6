/** A project whose tests use the package as its users do. Each test says in its name how it must end. */
export const TEST_PROJECT: Record<string, string> = {
  'salvo.yaml': 'concurrency: 4\ndefaults: { tools_seen: all }\n',
  'scenarios/greeting.yaml': `
prompt: Say hello.
assertions: [{ type: output_contains, value: Hello }]
`,
  'manifest.json': '{ "vulnerabilities": [{ "id": "v1", "type": "encryption", "resource": "aws_s3_bucket.data" }] }',
  'agent.ts': `
export const greets = () => 'Hello! My key is sk-ant-api03-${'abcdefghij'.repeat(4)}.';
export const calls = async ({ callTool }) => {
  const { content } = await callTool('look_up', { id: 'A1' });
  return 'It is ' + content;
};
export const task = { prompt: 'Where is A1?', tools: [{ name: 'look_up', mock_response: 'shipped' }] };
`,
  'unit/greeting.test.ts': `
import { writeFileSync } from 'node:fs';
import { evaluate } from 'salvo/vitest';
import { describe, expect, test } from 'vitest';
import { calls, greets, task } from '../agent.ts';

describe('greeting', () => {
  test('passes by a scenario file', async () => {
    await expect('../scenarios/greeting.yaml').toPass({ agent: greets, trials: 2 });
  });
  test('passes by files of findings', async () => {
    await expect('../manifest.json').toCatch('../manifest.json').catch(() => {});
    await expect([{ type: 'encryption', resource: 'aws_s3_bucket.data' }]).toCatch('../manifest.json');
  });
  test('fails in its words', async () => {
    await expect(greets).toCallTool('look_up', {}, { prompt: 'Say hello.', trials: 2 });
  });
  test('fails unscored', async () => {
    await expect(greets).not.toPass({ prompt: 'Say hello.', trials: 1 });
  });
  test('skips unscored', async () => {
    await expect(greets).toPass({ prompt: 'Say hello.', trials: 1, unscored: 'skip' });
  });
  test('skips with its scenario', async () => {
    await expect({ ...task, skip: 'until Monday' }).toPass({ agent: greets, trials: 1 });
  });
  test('fails by its timeout', { timeout: 300 }, async () => {
    const waits = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          writeFileSync('aborted', '');
          reject(new Error('aborted'));
        });
      });
    await expect(waits).toCallTool('look_up', {}, { prompt: 'Wait.', trials: 1 });
  });
  test('passes and stores nothing', async () => {
    await expect(calls).toCallTool('look_up', { id: 'A1' }, { scenario: task, trials: 1, store: false });
  });
  for (const number of [1, 2, 3]) {
    test.concurrent('passes beside others ' + number, async (context) => {
      const run = await evaluate(calls, { scenario: task, trials: number, test: context });
      await context.expect(run).toCallTool('look_up');
    });
  }
});
`,
  'unit/many.test.ts': `
import { evaluate } from 'salvo/vitest';
import { expect, test } from 'vitest';
import { calls, task } from '../agent.ts';

for (const number of [1, 2, 3, 4, 5]) {
  test('passes in another process ' + number, async () => {
    const run = await evaluate(calls, { scenario: task, trials: 10 });
    await expect(run).toCallTool('look_up');
    await expect(run).not.toCallTool('delete');
  });
}
`,
  'node/greeting.test.mjs': `
import { describe, test } from 'node:test';
import { evaluate, expect } from 'salvo/node-test';
const greets = () => 'Hello!';

describe('in node', () => {
  test('passes', async (t) => {
    const run = await evaluate(greets, { prompt: 'Say hello.', trials: 2, test: t });
    await expect(run).not.toCallTool('look_up');
    await expect('../scenarios/greeting.yaml').toPass({ agent: greets, trials: 1, test: t });
  });
  test('fails', async (t) => {
    await expect(greets).toCallToolsInOrder(['look_up'], { prompt: 'Say hello.', trials: 1, test: t });
  });
  test('unscored', async (t) => {
    await expect(greets).not.toPass({ prompt: 'Say hello.', trials: 1, test: t });
  });
  test('skipped', async (t) => {
    await expect(greets).toPass({ prompt: 'Say hello.', trials: 1, unscored: 'skip', test: t });
  });
});
`,
};
