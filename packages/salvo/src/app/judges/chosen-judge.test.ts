import { describe, expect, it } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { readLabels } from '../../judge/calibration/calibration-labels.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { ASSERTION_SCHEMAS } from '../../scenario/schema/assertion-schema.ts';
import { projectSchema } from '../../scenario/schema/project-schema.ts';
import { openProjectModels } from '../project/project-models.ts';
import { chosenJudge, judgeOfProject, judgeOfScenario, readyJudgeSettings, rubricOfLabels } from './chosen-judge.ts';

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

const place = { project, cwd: '/nowhere/judges' };

describe('chosenJudge', () => {
  it('is the one of the scenario, with the changes of the command line', () => {
    expect(chosenJudge(panel, {}, place)).toEqual(panel);
    expect(chosenJudge(panel, { k: 1, threshold: 0.9 }, place)).toMatchObject({
      k: 1,
      threshold: 0.9,
      judges: panel.judges,
    });
  });

  it('is one judge and no panel when the command line names one', () => {
    expect(chosenJudge(panel, { model: 'd' }, place)).toMatchObject({ judge_model: 'd', judges: undefined });
    expect(chosenJudge(panel, { judge: 'house' }, place)).toMatchObject({ judge_adapter: 'house', judge_model: 'c' });
    // A path is relative to where the user is.
    expect(chosenJudge(panel, { judge: './j.ts' }, place)).toMatchObject({ judge_adapter: './judges/j.ts' });
  });

  it('judges by a rubric alone with what the project says', async () => {
    const assertion = chosenJudge(rubric, {}, place);
    await using services = await openProjectModels({ project, env: { OPENAI_API_KEY: 'key' } });
    const { judges } = await readyJudgeSettings(assertion, services);
    expect(judges).toEqual([{ adapter: 'openai', model: 'from-project', weight: 1 }]);
  });
});

describe('readyJudgeSettings', () => {
  it('refuses a judge that cannot be called', async () => {
    const assertion = chosenJudge(rubric, {}, place);
    await using services = await openProjectModels({ project, env: {} });
    await expect(readyJudgeSettings(assertion, services)).rejects.toThrow(/OPENAI_API_KEY/);
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

const labels = (...lines: Record<string, unknown>[]) =>
  readLabels(lines.map((line) => JSON.stringify({ response: 'x', passed: true, ...line })).join('\n'), { file: 'l' });

describe('rubricOfLabels', () => {
  it('is the rubric of the labels, and missing when one of them has none', () => {
    expect(rubricOfLabels(labels({ criteria }, { criteria }))).toMatchObject(criteria);
    expect(rubricOfLabels(labels({ criteria }, {}))).toBeNull();
  });
});

describe('judgeOfProject', () => {
  const other = [{ name: 'tone', description: 'Is it kind?' }];

  async function found(files: Record<string, unknown[]>, items = labels({})) {
    const scenario = { adapter: 'scripted', prompt: 'p', script: [{ content: 'x' }] };
    await using fixture = await projectFixture(
      Object.fromEntries(
        Object.entries(files).map(([name, assertions]) => [name, JSON.stringify({ name, ...scenario, assertions })]),
      ),
    );
    const loadedProject = await fixture.project();
    const scenarios = await Promise.all(
      Object.keys(files).map((name) => loadScenario({ file: fixture.path(name), project: loadedProject })),
    );
    const models = {
      // Stands for a script: the real one needs an entry in salvo.yaml.
      providerName: (adapter: string) => (adapter === 'anthropic' ? 'scripted' : 'openai'),
      identity: (adapter: string) => adapter,
    };
    const { assertion, loaded } = judgeOfProject(scenarios, {
      labels: 'l.jsonl',
      items,
      cwd: fixture.root,
      project: loadedProject,
      models,
    });
    return { id: assertion.id, file: loaded.relativeFile };
  }

  it('is the only one that is not a script, however many scenarios ask it', async () => {
    const script = { ...judgeAssertion('script'), judge_adapter: 'anthropic' };
    expect(
      await found({ 'a.yaml': [script], 'b.yaml': [judgeAssertion('tone')], 'c.yaml': [judgeAssertion('same')] }),
    ).toEqual({
      id: 'tone',
      file: 'b.yaml',
    });
  });

  it('is the one with the criteria of the labels', async () => {
    const files = { 'a.yaml': [judgeAssertion('right')], 'b.yaml': [{ type: 'judge', id: 'kind', criteria: other }] };
    expect(await found(files, labels({ labels: { tone: 1 } }))).toEqual({ id: 'kind', file: 'b.yaml' });
    await expect(found(files, labels({ labels: { length: 1 } }))).rejects.toThrow(
      'l.jsonl:1: no judge of the project has the criteria of the labels ("length").',
    );
  });

  it('is the only one even if the labels misspell its criteria, so that they can be corrected', async () => {
    const only = { 'a.yaml': [judgeAssertion('right')] };
    expect(await found(only, labels({ labels: { corect: 1 } }))).toEqual({ id: 'right', file: 'a.yaml' });
  });

  it('has to be chosen among several, with commands that can be copied', async () => {
    const files = {
      'a.yaml': [judgeAssertion('one'), { ...judgeAssertion('two'), k: 5 }],
      'a b.yaml': [{ ...judgeAssertion('three'), k: 7 }],
    };
    await expect(found(files)).rejects.toThrow(
      [
        'l.jsonl:1: the project has 3 judges. Choose one:',
        '  salvo calibrate l.jsonl --scenario a.yaml --assertion one',
        '  salvo calibrate l.jsonl --scenario a.yaml --assertion two',
        "  salvo calibrate l.jsonl --scenario 'a b.yaml'",
      ].join('\n'),
    );
  });

  it('is missing in a project that asks none; the message names the line without a rubric', async () => {
    await expect(
      found({ 'a.yaml': [{ type: 'output_contains', value: 'x' }] }, labels({ criteria }, {})),
    ).rejects.toThrow('l.jsonl:2: by which rubric? No scenario of the project asks a judge.');
  });
});
