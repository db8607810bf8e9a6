import { describe, expect, it } from 'vitest';
import { fakeModels, scoring } from '../../../test/fake-models.ts';
import { projectFixture } from '../../../test/project-fixture.ts';
import { sampleCalibration } from '../../../test/sample-calibration.ts';
import { sampleSupportTrace } from '../../../test/sample-trace.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { judgeTrace } from '../judge-trace.ts';
import { judgeSettings, scenarioJudges } from '../scenario-judges.ts';
import { calibrationLookup, judgesInUse, neverCalibrated } from './judges-in-use.ts';

const criteria = [{ name: 'correct', description: 'Is it right?' }];

async function inUse(assertions: Record<string, unknown>[][], provider = 'openai') {
  const files = Object.fromEntries(
    assertions.map((list, index) => [
      `${index}.yaml`,
      JSON.stringify({ name: 's', adapter: 'scripted', prompt: 'p', script: [{ content: 'x' }], assertions: list }),
    ]),
  );
  await using fixture = await projectFixture(files);
  const project = await fixture.project();
  const scenarios = await Promise.all(
    assertions.map((_, index) => loadScenario({ file: fixture.path(`${index}.yaml`), project })),
  );
  const models = fakeModels(() => scoring({ correct: 1 }), { provider });
  return { project, scenarios, models, judges: judgesInUse({ scenarios, project, models }) };
}

describe('judgesInUse', () => {
  it('names each judge once, with the first scenario that asks for it', async () => {
    const { judges } = await inUse([
      [{ type: 'output_contains', value: 'x' }],
      [{ type: 'judge', criteria, judge_model: 'a' }],
      [
        { type: 'judge', criteria, judge_model: 'a', k: 5, threshold: 0.5 },
        { type: 'judge', criteria, judge_model: 'b' },
      ],
    ]);
    expect(judges).toMatchObject([
      { judgeModel: 'a', relativeFile: '1.yaml', isScript: false },
      { judgeModel: 'b', relativeFile: '2.yaml', isScript: false },
    ]);
  });

  it.each([
    ['a plain judge', {}],
    ['a panel', { judges: [{ model: 'a' }, { model: 'b', weight: 2 }] }],
    ['a judge with a prompt of its own', { custom_prompt: 'Be kind.', temperature: 0.5 }],
    ['a judge that sees more', { include_system_prompt: true, context: ['response', 'task'] }],
  ])('has the same hash for %s as the verdicts that are stored', async (_, fields) => {
    const { judges, models, project, scenarios } = await inUse([[{ type: 'judge', criteria, ...fields }]]);
    const asked = scenarios.flatMap(({ scenario }) => scenarioJudges(scenario, project.config.judge));
    expect(asked).toHaveLength(1);
    const verdicts = await Promise.all(
      asked.map(({ assertion }) =>
        judgeTrace({ ...judgeSettings(assertion, project.config.judge), trace: sampleSupportTrace(), models }),
      ),
    );
    expect(judges.map(({ judgeHash }) => judgeHash)).toEqual(verdicts.map(({ metadata }) => metadata.judge_hash));
  });

  it('knows a script, which needs no calibration', async () => {
    const { judges } = await inUse([[{ type: 'judge', criteria }]], 'scripted');
    expect(judges).toMatchObject([{ isScript: true }]);
  });
});

describe('calibrationLookup', () => {
  const judge = { judgeHash: 'new', judgeModel: 'm', relativeFile: 's.yaml', isScript: false };
  const script = { ...judge, judgeHash: 'script', isScript: true };
  const record = sampleCalibration();
  const known = { ...judge, judgeHash: record.judge_hash };
  const getCalibration = async (hash: string) => (hash === record.judge_hash ? record : null);
  const calibrationOf = calibrationLookup({ getCalibration }, [judge, script, known]);

  it('expects a calibration of every judge that is not a script', async () => {
    expect(await calibrationOf(known.judgeHash)).toBe(record);
    expect(await calibrationOf('new')).toBeNull();
    expect(await calibrationOf('script')).toBeUndefined();
  });

  it('names the judges that were never compared with people', async () => {
    expect(await neverCalibrated([judge, script, known], calibrationOf)).toEqual([judge]);
  });
});
