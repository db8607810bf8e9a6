import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { inspectScenario } from '../load-scenario.ts';

async function problems(user: string, rest = '') {
  await using fixture = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    's.yaml': `script: [{ content: Hi }]\nassertions: [{ type: output_contains, value: Hi }]\n${rest}user: ${user}\n`,
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('s.yaml'), project: await fixture.project() });
  return diagnostics.map(({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`);
}

test.each([
  '{ goal: Buy a kettle. }',
  '{ goal: Buy a kettle., facts: { id: 7, nested: { list: [1, null] } }, persona: Rude., max_messages: 3, stop: END }',
  '{ goal: Buy a kettle., facts: [You are Mia.], check: false }',
  '{ goal: Buy a kettle., check: { model: m } }',
  '{ script: [Hi, { text: Yes, when: "sure\\\\?" }] }',
])('%s is a user', async (user) => {
  expect(await problems(user)).toEqual([]);
});

test('messages may end with a greeting of the agent', async () => {
  expect(await problems('{ goal: Ask. }', 'messages: [{ role: assistant, content: Hello! }]\n')).toEqual([]);
});

test.each([
  ['{ facts: { id: 1 } }', '3:7 missing-key: the simulated user has neither a goal nor a script'],
  ['{ goal: "" }', '3:15 invalid-value'],
  ['{ goal: Ask., goals: x }', '3:21 unknown-key'],
  ['{ script: [] }', '3:17 invalid-value'],
  ['{ script: [Hi], stop: Bye }', '3:23 conflicting-keys: "stop" is for a user that a model plays'],
  ['{ script: [Hi], model: m }', '3:23 conflicting-keys: "model" is for a user that a model plays'],
  ['{ script: [{ text: Hi, when: "(" }] }', '3:36 invalid-pattern'],
  ['{ goal: Ask., max_messages: 0 }', '3:35 invalid-value'],
  ['{ goal: Ask., max_messages: 201 }', '3:35 invalid-value'],
  ['{ goal: Ask., adapter: nobody }', '3:30 unknown-adapter'],
  ['{ goal: Ask., adapter: scripted }', '3:30 missing-script: a user with the adapter "scripted" needs its own script'],
  ['{ goal: Ask., check: { adapter: nobody } }', '3:39 unknown-adapter'],
  ['{ goal: Ask., facts: 7 }', '3:28'],
  ['[]', '3:7 wrong-type'],
  ['Ask.', '3:7 wrong-type'],
  ['null', '3:7'],
])('%s has a problem at its place', async (user, expected) => {
  expect((await problems(user)).join('\n')).toContain(expected);
});
