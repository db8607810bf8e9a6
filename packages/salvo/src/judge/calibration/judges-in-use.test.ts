import { describe, expect, it } from 'vitest';
import { fakeModels, scoring } from '../../../../../test/fake-models.ts';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { sampleCalibration } from '../../../../../test/sample-calibration.ts';
import { sampleSupportTrace } from '../../../../../test/sample-trace.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { judgeTrace } from '../judge-trace.ts';
import { judgeSettings, scenarioJudges } from '../scenario-judges.ts';
import type { CalibrationRecord } from './calibration-record.ts';
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
        { type: 'judge', criteria, judge_model: 'a', weight: 2 },
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
  it('expects a calibration of every judge that is not a script', async () => {
    const { judges } = await inUse([[{ type: 'judge', criteria, judge_model: 'a' }]]);
    const [judge] = judges;
    if (!judge) throw new Error('there is a judge');
    const record = sampleCalibration({ judge_hash: judge.judgeHash });
    const script = { ...judge, judgeHash: 'script', isScript: true };
    const calibrationOf = calibrationLookup(storeOf([record]), [judge, script]);
    expect(await calibrationOf(judge.judgeHash)).toEqual({ record });
    expect(await calibrationOf('new')).toEqual({ record: null, difference: null });
    expect(await calibrationOf('script')).toBeUndefined();
    expect(await neverCalibrated([judge, script], calibrationOf)).toEqual([]);
  });

  it('names how the most similar calibrated judge differs', async () => {
    const { judges } = await inUse([[{ type: 'judge', criteria, judge_model: 'a', k: 9 }]]);
    const [judge] = judges;
    if (!judge) throw new Error('there is a judge');
    const near = sampleCalibration({ judge_hash: 'near', judge: { ...judge.facts, k: 1 } });
    const farther = sampleCalibration({ judge_hash: 'farther', judge: { ...judge.facts, k: 1, temperature: 1 } });
    const calibrationOf = calibrationLookup(storeOf([farther, near, sampleCalibration()]), judges);
    expect(await neverCalibrated(judges, calibrationOf)).toEqual([
      {
        judgeHash: judge.judgeHash,
        judgeModel: 'a',
        relativeFile: '0.yaml',
        difference: 'calibrated with k=1, this run uses k=9',
      },
    ]);
  });

  function storeOf(records: CalibrationRecord[]) {
    return {
      getCalibration: async (hash: string) => records.find(({ judge_hash }) => judge_hash === hash) ?? null,
      listCalibrations: async () => records,
    };
  }
});
