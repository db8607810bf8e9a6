import { describe, expect, it } from 'vitest';
import { projectFixture } from '../../../test/project-fixture.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { judgeOfScenario, rubricOfLabels } from './calibrated-judge.ts';
import { readLabels } from './calibration-labels.ts';

const criteria = [{ name: 'correct', description: 'Is it right?' }];
const judge = (id: string) => ({ type: 'judge', id, criteria });

async function scenarioWith(assertions: unknown[]) {
  const scenario = { name: 's', adapter: 'scripted', prompt: 'p', script: [{ content: 'x' }], assertions };
  await using fixture = await projectFixture({ 's.yaml': JSON.stringify(scenario) });
  return await loadScenario({ file: fixture.path('s.yaml'), project: await fixture.project() });
}

describe('judgeOfScenario', () => {
  it('is the one it has, among other assertions', async () => {
    const loaded = await scenarioWith([{ type: 'output_contains', value: 'x' }, judge('tone')]);
    expect(judgeOfScenario(loaded, undefined)).toMatchObject({ id: 'tone' });
  });

  it('has to be named when it has several', async () => {
    const loaded = await scenarioWith([judge('tone'), judge('facts')]);
    expect(() => judgeOfScenario(loaded, undefined)).toThrow('s.yaml has 2 judges ("tone", "facts")');
    expect(judgeOfScenario(loaded, 'facts')).toMatchObject({ id: 'facts' });
    expect(() => judgeOfScenario(loaded, 'fact')).toThrow('s.yaml has no judge "fact". It has "tone", "facts".');
  });

  it('is refused when it has none', async () => {
    const loaded = await scenarioWith([{ type: 'output_contains', value: 'x' }]);
    expect(() => judgeOfScenario(loaded, undefined)).toThrow(/no assertion of type judge/);
  });
});

describe('rubricOfLabels', () => {
  const labels = (...lines: Record<string, unknown>[]) =>
    readLabels(lines.map((line) => JSON.stringify({ response: 'x', passed: true, ...line })).join('\n'), { file: 'l' });

  it('is what the labels bring themselves', () => {
    expect(rubricOfLabels(labels({ criteria }, { criteria }), 'l')).toMatchObject(criteria);
  });

  it('is missing when one of them brings none: its line is named', () => {
    expect(() => rubricOfLabels(labels({ criteria }, {}), 'l')).toThrow(/^l:2: by which rubric/);
  });
});
