import { expect, test } from 'vitest';
import { openProjectModels } from '../../packages/salvo/src/app/project/project-models.ts';
import {
  createMatchJudge,
  judgeAsksModels,
  type MatchJudgeOptions,
  withoutUndecided,
} from '../../packages/salvo-arena/src/app/scoring/match-judge.ts';
import { projectFixture } from '../project-fixture.ts';

const vote = (score: number) => ({
  type: 'scripted',
  script: [{ tool_calls: [{ name: 'score_criteria', arguments: { same_flaw: { reasoning: 'r', score } } }] }],
});
const CONFIG = JSON.stringify({
  adapters: { yes: vote(1), no: vote(0) },
  judge: { adapter: 'no', model: 'configured' },
});
/** A pair that the documented formula leaves unclear: the same category and resource, and nothing else. */
const MANIFEST = { vulnerabilities: [{ id: 'v', type: 'encryption', resource: 'aws_s3_bucket.a' }] };
const FINDINGS = [{ type: 'encryption', resource: 'aws_s3_bucket.a', title: 'One thing of many others' }];

async function decide(options: MatchJudgeOptions) {
  await using project = await projectFixture({ 'salvo.yaml': CONFIG });
  await using services = await openProjectModels({ project: await project.project(), env: {}, cache: false });
  const { agent, models } = await createMatchJudge({ matcher: 'documented', ...options }, services);
  const { matches, models: asked } = await withoutUndecided(agent).scoreAsync(MANIFEST, FINDINGS);
  return { found: matches.length, models, asked: asked?.asked ?? 0, calls: asked?.calls ?? 0 };
}

test('models decide unclear matches of a game: several together, with as many votes as asked for', async () => {
  expect(await decide({ llm: ['yes=m'], k: 2 })).toMatchObject({ found: 1, asked: 1, calls: 2 });
  const no = await decide({ llm: ['a', 'b'], judge: 'no' });
  expect(no).toMatchObject({ found: 0, models: [{ model: 'a' }, { model: 'b' }], calls: 6 });
});

test('a debate is held by the models that are named, or by the judge of the project', async () => {
  expect(await decide({ verify: 'debate', llm: ['yes=m'] })).toMatchObject({ found: 1 });
  const { found, models } = await decide({ verify: 'debate' });
  expect({ found, models }).toEqual({ found: 0, models: [{ adapter: 'no', model: 'configured' }] });
});

test('a game with pairs that the models leave undecided fails, instead of counting them as misses', async () => {
  await expect(decide({ llm: ['yes=m', 'no=m'] })).rejects.toMatchObject({ code: 'PAIRS_UNDECIDED' });
});

test('without models nothing is asked', async () => {
  expect(judgeAsksModels({ judge: 'yes', k: 3 })).toBe(false);
  expect((await createMatchJudge({}, null)).models).toEqual([]);
});
