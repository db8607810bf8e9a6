import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { compileJsonSchema } from '../compile/json-schema.ts';
import { inspectScenario } from '../load-scenario.ts';
import { projectFromObject } from '../scenario-object.ts';
import { ASSERTION_SCHEMAS } from './assertion-schema.ts';
import { projectJsonSchema, scenarioJsonSchema } from './editor-schema.ts';
import { projectSchema } from './project-schema.ts';

const SHARES = ['threshold', 'min_pass_rate', 'min_score'] as const;
const editorProblems = compileJsonSchema(scenarioJsonSchema());

async function inspect(text: string) {
  await using fixture = await projectFixture({ 'a.yaml': text });
  return inspectScenario({ file: fixture.path('a.yaml'), project: await fixture.project() });
}

const yaml = (key: string, value: string) =>
  `prompt: hi\nassertions: [{type: output_contains, value: a}]\n${key}: ${value}\n`;

describe.each(SHARES)('%s of a scenario', (key) => {
  test.each([
    ['80%', 0.8],
    ['"80%"', 0.8],
    ['80 %', 0.8],
    ['0.8', 0.8],
    ['1%', 0.01],
    ['100%', 1],
    ['33.3%', 0.333],
  ])('can be %s, also for an editor', async (value, share) => {
    const { scenario, diagnostics } = await inspect(yaml(key, value));
    expect(diagnostics).toEqual([]);
    expect(scenario?.[key]).toBeCloseTo(share, 12);
    expect(editorProblems(parse(yaml(key, value)))).toEqual([]);
  });

  test.each([
    ['80', '80 is not a share from 0 to 1: write 0.8 or 80%'],
    ['"80"', '"80" is not a share from 0 to 1: write 0.8 or 80%'],
    ['"0.8"', '"0.8" is not a share from 0 to 1: write 0.8 or 80%'],
    ['120%', '"120%" is not a share from 0 to 1: write a number such as 0.8, or a percentage such as 80%'],
    ['-0.5', '-0.5 is not a share from 0 to 1: write a number such as 0.8, or a percentage such as 80%'],
    ['most', '"most" is not a share from 0 to 1: write a number such as 0.8, or a percentage such as 80%'],
    ['[0.8]', 'a list is not a share from 0 to 1: write a number such as 0.8, or a percentage such as 80%'],
  ])('cannot be %s, also for an editor', async (value, message) => {
    const { diagnostics } = await inspect(yaml(key, value));
    expect(diagnostics.map((each) => [each.line, each.column, each.message])).toEqual([[3, key.length + 3, message]]);
    expect(editorProblems(parse(yaml(key, value))).length).toBeGreaterThan(0);
  });
});

test('shares of assertions and of salvo.yaml are read in the same way', async () => {
  const { scenario } = await inspect(
    'prompt: hi\nassertions:\n  - {type: judge, threshold: 70%, criteria: [{name: a, description: x}]}\n',
  );
  expect(scenario?.assertions[0]).toMatchObject({ threshold: 0.7 });
  const custom = ASSERTION_SCHEMAS.custom.parse({ type: 'custom', module: 'check.mjs', pass_at: '90%' });
  expect(custom).toMatchObject({ pass_at: 0.9 });
  const { config } = projectFromObject(
    { defaults: { min_pass_rate: '90%', min_score: 0.5 }, judge: { default_threshold: '75%' } },
    '/',
  );
  expect(config).toMatchObject({
    defaults: { min_pass_rate: 0.9, min_score: 0.5 },
    judge: { default_threshold: 0.75 },
  });
  expect(
    compileJsonSchema(projectJsonSchema())({ defaults: { min_pass_rate: '90%' }, judge: { default_threshold: '75%' } }),
  ).toEqual([]);
  expect(projectSchema.safeParse({ defaults: { min_pass_rate: 90 } }).success).toBe(false);
});

test('an editor shows the defaults', () => {
  expect(scenarioJsonSchema()).toMatchObject({ properties: { max_turns: { default: 10 } } });
  expect(JSON.stringify(projectJsonSchema())).toMatch(/"default_threshold":\{[^}]*"default":0.8/);
});
