import { describe, expect, it } from 'vitest';
import { fakeModels, scoring } from '../../test/fake-models.ts';
import { projectFixture } from '../../test/project-fixture.ts';
import { sampleTrace } from '../../test/sample-trace.ts';
import { judgeRequest } from '../evaluators/judge.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { isJudgeAssertion } from '../judge/judges-of.ts';
import { loadScenario } from '../scenario/load-scenario.ts';
import { judgesInUse } from './judges-in-use.ts';

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
      { judge_model: 'a', relativeFile: '1.yaml', isScript: false },
      { judge_model: 'b', relativeFile: '2.yaml', isScript: false },
    ]);
  });

  it.each([
    ['a plain judge', {}],
    ['a panel', { judges: [{ model: 'a' }, { model: 'b', weight: 2 }] }],
    ['a judge with a prompt of its own', { custom_prompt: 'Be kind.', temperature: 0.5 }],
    ['a judge that sees more', { include_system_prompt: true, context: ['response', 'task'] }],
  ])('knows %s by the hash under which its verdicts are stored', async (_, fields) => {
    const { judges, models, project, scenarios } = await inUse([[{ type: 'judge', criteria, ...fields }]]);
    const [assertion] = scenarios[0]?.scenario.assertions.filter(isJudgeAssertion) ?? [];
    expect(assertion).toBeDefined();
    if (!assertion) return;
    const { metadata } = await judgeTrace(judgeRequest(assertion, sampleTrace(), { project, models }));
    expect(judges.map(({ judge_hash }) => judge_hash)).toEqual([metadata.judge_hash]);
  });

  it('knows a script, of which there is nothing to find out', async () => {
    const { judges } = await inUse([[{ type: 'judge', criteria }]], 'scripted');
    expect(judges).toMatchObject([{ isScript: true }]);
  });
});
