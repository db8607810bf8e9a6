import { describe, expect, it } from 'vitest';
import { projectFixture } from '../../test/project-fixture.ts';
import { readLabels } from '../judge/calibration/calibration-labels.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import { ASSERTION_SCHEMAS } from '../scenario/schema/assertion-schema.ts';
import { projectSchema } from '../scenario/schema/project-schema.ts';
import { chosenJudge, judgeOfScenario, readyJudgeSettings, rubricOfLabels } from './chosen-judge.ts';
import { openProjectModels } from './project-models.ts';

const rubric = [{ name: 'correct', description: 'Is it right?', weight: 1 }];
const panel = ASSERTION_SCHEMAS.judge.parse({
  type: 'judge',
  criteria: rubric,
  judges: [{ model: 'a' }, { model: 'b' }],
  judge_model: 'c',
  k: 5,
  threshold: 0.6,
});
const project = { root: '/nowhere', file: null, config: projectSchema.parse({ judge: { model: 'from-project' } }) };

describe('chosenJudge', () => {
  it('is the one of the scenario, with the changes of the command line', () => {
    expect(chosenJudge(panel, {})).toEqual(panel);
    expect(chosenJudge(panel, { k: 1, threshold: 0.9 })).toMatchObject({ k: 1, threshold: 0.9, judges: panel.judges });
  });

  it('is one judge and no panel when the command line names one', () => {
    expect(chosenJudge(panel, { model: 'd' })).toMatchObject({ judge_model: 'd', judges: undefined });
    expect(chosenJudge(panel, { judge: 'house' })).toMatchObject({ judge_adapter: 'house', judge_model: 'c' });
  });

  it('judges by a rubric alone with what the project says', async () => {
    const assertion = chosenJudge(rubric, {});
    await using services = await openProjectModels({ project, env: { OPENAI_API_KEY: 'key' } });
    const { judges } = readyJudgeSettings(assertion, services);
    expect(judges).toEqual([{ adapter: 'openai', model: 'from-project', weight: 1 }]);
  });
});

describe('readyJudgeSettings', () => {
  it('refuses a judge that cannot be called', async () => {
    const assertion = chosenJudge(rubric, {});
    await using services = await openProjectModels({ project, env: {} });
    expect(() => readyJudgeSettings(assertion, services)).toThrow(/OPENAI_API_KEY/);
  });
});

const criteria = [{ name: 'correct', description: 'Is it right?' }];
const judgeAssertion = (id: string) => ({ type: 'judge', id, criteria });

async function scenarioWith(assertions: unknown[]) {
  const scenario = { name: 's', adapter: 'scripted', prompt: 'p', script: [{ content: 'x' }], assertions };
  await using fixture = await projectFixture({ 's.yaml': JSON.stringify(scenario) });
  return await loadScenario({ file: fixture.path('s.yaml'), project: await fixture.project() });
}

describe('judgeOfScenario', () => {
  it('is the one it has, among other assertions', async () => {
    const loaded = await scenarioWith([{ type: 'output_contains', value: 'x' }, judgeAssertion('tone')]);
    expect(judgeOfScenario(loaded, undefined)).toMatchObject({ id: 'tone' });
  });

  it('has to be named when it has several', async () => {
    const loaded = await scenarioWith([judgeAssertion('tone'), judgeAssertion('facts')]);
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

  it('is the rubric of the labels', () => {
    expect(rubricOfLabels(labels({ criteria }, { criteria }), 'l')).toMatchObject(criteria);
  });

  it('is missing when one of them has none; the message names its line', () => {
    expect(() => rubricOfLabels(labels({ criteria }, {}), 'l')).toThrow(/^l:2: there is no rubric/);
  });
});
