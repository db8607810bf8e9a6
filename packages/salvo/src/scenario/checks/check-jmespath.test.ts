import { expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { inspectScenario } from '../load-scenario.ts';

const REFUND =
  '{name: refund, parameters: {type: object, properties: {amount: {type: number}, to: {type: object, properties: {iban: {type: string}}}}}}';
const SEARCH = '{name: search, parameters: {type: object, properties: {query: {type: string}}}}';
const OPEN = '{name: open, parameters: {type: object}}';

async function problemsOf(assertion: string, tools = [REFUND, SEARCH]): Promise<string[]> {
  await using fixture = await projectFixture({
    'a.yaml': `prompt: hi\nadapter: openai\ntools: [${tools.join(', ')}]\nassertions:\n  - ${assertion}\n`,
  });
  const { diagnostics } = await inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
  return diagnostics.map(
    ({ line, column, severity, code, message, hint = '' }) =>
      `${line}:${column} ${severity} ${code} ${message} ${hint}`,
  );
}

test.each([
  ['{path: "tool_calls[0].arguments.ammount", ne: 100}', '5:37', 'did you mean "amount"?'],
  ['{path: "tool_calls[?name==\'refund\'].arguments.ammount | [0]", lt: 100}', '5:51', 'did you mean "amount"?'],
  ['{path: "tool_calls[0].arguments.to.ibam", exists: true}', '5:40', 'did you mean "iban"?'],
  ['{path: "turns[].tool_calls[].arguments.querry | [0]", exists: true}', '5:44', 'did you mean "query"?'],
])('an argument that no tool has is a warning: %s', async (assertion, place, hint) => {
  const [problem, ...others] = await problemsOf(assertion);
  expect(others).toEqual([]);
  expect(problem).toContain(`${place} warning unknown-argument`);
  expect(problem).toContain(hint);
});

test.each([
  ['{path: "tool_calls[0].arguments.amount", ne: 100}', undefined],
  ['{path: "tool_calls[0].arguments.query", ne: x}', undefined],
  ['{path: "tool_calls[0].arguments.to.iban", ne: x}', undefined],
  ['{path: "tool_calls[0].arguments.anything", ne: x}', [REFUND, OPEN]],
])('an argument that a tool has, or may have, is none: %s', async (assertion, tools) => {
  expect(await problemsOf(assertion, tools)).toEqual([]);
});
