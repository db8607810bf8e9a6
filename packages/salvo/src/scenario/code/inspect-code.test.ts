import { describe, expect, test } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { loadScenario, loadScenarios, scenarioChecks } from '../load-scenario.ts';
import { inspectCode } from './inspect-code.ts';

/** The scenarios of a module, and its problems as `line:column code message`. */
async function inspect(code: string, { name = 'a.scenario.ts', loadSeconds = 20 } = {}) {
  await using fixture = await projectFixture({ [name]: code });
  const file = fixture.path(name);
  const checks = scenarioChecks({ file, project: await fixture.project() });
  const inspected = await inspectCode(file, { checks, loadSeconds });
  return {
    names: inspected.flatMap(({ scenario }) => (scenario ? [scenario.name] : [])),
    problems: inspected.flatMap(({ diagnostics }) =>
      diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`),
    ),
  };
}

const SOUND = `{ prompt: 'Hi', agent: () => 'Hello', assertions: [() => true] }`;

describe('a module with scenarios', () => {
  test('exports one by default, which is named after its file', async () => {
    expect(await inspect(`export default ${SOUND};`)).toEqual({ names: ['a'], problems: [] });
  });

  test('exports a list, or a function that makes it', async () => {
    const list = `['x', 'y'].map((name) => ({ name, ...${SOUND} }))`;
    expect((await inspect(`export default ${list};`)).names).toEqual(['x', 'y']);
    expect((await inspect(`export default async () => ${list};`, { name: 'b.scenario.mjs' })).names).toEqual([
      'x',
      'y',
    ]);
  });

  test('exports several by name, besides whatever else it exports', async () => {
    const code = `import { defineScenario } from '${new URL('./define-scenario.ts', import.meta.url).pathname}';
      export const second = defineScenario(${SOUND});
      export const first = defineScenario({ name: 'the first', ...${SOUND} });
      export const help = () => 1;`;
    expect(await inspect(code)).toEqual({ names: ['the first', 'second'], problems: [] });
  });
});

describe('a module that gives no scenario', () => {
  test.each([
    ['throws', `throw new Error('boom');`, /^1:7 scenario-code the file cannot be loaded: boom$/],
    ['does not compile', `export default {`, /^\d+:\d+ scenario-code the file cannot be loaded/],
    ['exports nothing', '', /the file exports no scenario; it exports nothing/],
    ['exports something else', 'export const a = 1;', /it exports a$/],
    ['exports a number', 'export default 42;', /the default export should be a scenario, but is a number/],
    ['exports an empty list', 'export default [];', /the exported list has no scenarios/],
    ['has a number in its list', `export default [${SOUND}, 7];`, /entry 1 of the exported list .* a number/],
    ['has a function that fails', `export default () => { throw new Error('no'); };`, /makes the scenarios failed: no/],
    [
      'has two of one name',
      `export default [${SOUND}, ${SOUND}].map((s) => ({ name: 'x', ...s }));`,
      /two scenarios named "x"/,
    ],
    ['has a list without names', `export default [${SOUND}, ${SOUND}];`, /"name" is missing/],
    ['has too many', `export default Array.from({ length: 10_001 }, () => 0).map(() => (${SOUND}));`, /at most 10000/],
    ['has a getter that throws', `export default { get prompt() { throw new Error('no'); } };`, /cannot be read: no/],
  ])('%s', async (_, code, message) => {
    const { names, problems } = await inspect(code);
    expect(names.length).toBeLessThan(2);
    expect(problems[0]).toMatch(message);
  });

  test('never finishes loading', async () => {
    const { problems } = await inspect('await new Promise(() => {});\nexport default {};', { loadSeconds: 0.2 });
    expect(problems).toEqual([expect.stringContaining('was not loaded within 0.2 s')]);
  });
});

describe('a scenario in code is checked as a file is', () => {
  test('at the line of the field, if its name occurs once', async () => {
    const { problems } = await inspect(`export default {
  prompt: 'Hi',
  tools: [{ name: 'a b' }, { name: 'c' }],
  max_turns: 0,
  assertions: [() => true],
};`);
    expect(problems).toEqual([
      expect.stringMatching(/^3:3 invalid-value tools\[0\]\.name: a tool name has/),
      expect.stringMatching(/^4:3 invalid-value max_turns: /),
    ]);
  });

  test.each([
    ['a function where none can be', 'system_prompt: () => 1', /system_prompt: a function cannot be used here/],
    ['a Date', 'extras: { d: new Date(0) }', /extras\.d: a Date object is not/],
    ['a value in itself', 'get extras() { const a = {}; a.a = a; return a; }', /extras\.a: the value contains itself/],
    ['an agent that is no function', `agent: 'gpt'`, /"agent" should be a function/],
    ['an agent and an adapter', `agent: () => '', adapter: 'openai'`, /either an agent or an adapter/],
    ['a check without its function', `assertions: [{ type: 'function', function: 'x' }]`, /has it as "check"/],
    [
      'two checks of one id',
      `assertions: [{ id: 'a', check: () => true }, { id: 'a', check: () => true }]`,
      /two assertions with the id "a"/,
    ],
  ])('refuses %s', async (_, field, message) => {
    const { problems } = await inspect(`export default { prompt: 'Hi', ${field} };`);
    expect(problems.join('\n')).toMatch(message);
  });
});

test('a column that no template names may be read by a function', async () => {
  const warningsOf = async (field: string) => {
    await using fixture = await projectFixture({
      'a.scenario.ts': `export default { prompt: 'Hi', data: [{ n: 1 }], ${field} };`,
    });
    const [loaded] = await loadScenarios({ file: fixture.path('a.scenario.ts'), project: await fixture.project() });
    return loaded?.warnings.map(({ code }) => code);
  };
  expect(await warningsOf('assertions: [({ row }) => row.n === 1]')).toEqual([]);
  expect(await warningsOf(`assertions: [{ type: 'output_contains', value: 'x' }]`)).toEqual(['unused-column']);
});

test('one of several is loaded by its name', async () => {
  await using fixture = await projectFixture({
    'a.scenario.ts': `export default ['x', 'y'].map((name) => ({ name, ...${SOUND} }));`,
  });
  const options = { file: fixture.path('a.scenario.ts'), project: await fixture.project() };
  expect(await loadScenarios(options)).toHaveLength(2);
  expect((await loadScenario({ ...options, name: 'y' })).scenario.name).toBe('y');
  await expect(loadScenario({ ...options, name: 'z' })).rejects.toThrow('none is named "z": "x", "y"');
});
