import { expect, test } from 'vitest';
import { askedFor, type FakeJudge, fakeModels, scoring } from '../../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { forecastVotes } from '../forecast-votes.ts';
import { judgeHash } from '../judge-hash.ts';
import { judgeTrace, withDefaults } from '../judge-trace.ts';
import type { Cascade } from '../votes/cast-vote.ts';

const criteria = [{ name: 'kind', description: 'Is kind.', weight: 1 }];
const stage = (model: string, k: number, sure: number | null) => {
  return { judge: { adapter: 'my-judge', model, weight: 1 }, k, sure };
};
const TWO: Cascade = { stages: [stage('cheap', 5, 0.9), stage('strong', 3, null)], people: false };

/** The votes of each model by number: whether they pass; null is one that cannot be read. */
const voting =
  (votes: Record<string, (boolean | null)[]>): FakeJudge =>
  (call) => {
    const vote = votes[call.config.model]?.[askedFor(call).vote - 1] ?? null;
    return vote === null ? { content: 'hm' } : scoring({ kind: vote ? 1 : 0 });
  };

function optionsFor(answer: FakeJudge, cascade: Cascade) {
  const judges = cascade.stages.map(({ judge }) => judge);
  return { trace: sampleTrace(), criteria, threshold: 0.8, models: fakeModels(answer), judges, cascade };
}

async function judge(
  answer: FakeJudge,
  { people, ...changes }: Partial<Cascade> & { people?: boolean } = {},
  said = {},
) {
  const cascade = { ...TWO, ...changes, people: people ?? false };
  return await judgeTrace({ ...optionsFor(answer, cascade), ...said });
}

const yes = (count: number) => Array.from({ length: count }, () => true);

test('the first stage decides what it is sure of, and no other is asked', async () => {
  const { passed, score, metadata } = await judge(voting({ cheap: yes(5) }));
  expect({ passed, score, by: metadata.cascade?.decided_by }).toEqual({ passed: true, score: 1, by: 1 });
  expect(metadata.cascade?.stages.map(({ outcome }) => outcome)).toEqual(['decided', 'not_asked']);
  expect(metadata.cascade?.reason).toBe('Stage 1 (cheap) decided: it was 100% sure, and decides from 90%.');
  expect(metadata.judge_model).toBe('cheap → strong');
});

test('what it is not sure of is decided by the next one, with the votes of both in the result', async () => {
  const answer = voting({ cheap: [true, true, true, true, false], strong: [false, false, true] });
  const { passed, metadata } = await judge(answer);
  expect({ passed, by: metadata.cascade?.decided_by }).toEqual({ passed: false, by: 2 });
  expect(metadata.votes.map(({ judge_model }) => judge_model)).toEqual(['strong', 'strong', 'strong']);
  expect(metadata.cascade?.stages[0]).toMatchObject({ outcome: 'not_sure', sureness: 0.8, passed: true });
  expect(metadata.cascade?.stages[0]?.votes).toHaveLength(5);
  expect(metadata.notes[0]).toContain('Stage 1 (cheap) was 80% sure, and decides from 90%.');
});

test('a vote that cannot be read does not agree', async () => {
  const { metadata } = await judge(voting({ cheap: [true, true, true, true, null], strong: yes(3) }));
  expect(metadata.cascade).toMatchObject({ decided_by: 2, stages: [{ sureness: 0.8, outcome: 'not_sure' }, {}] });
});

test('a stage without a verdict leaves it to the next; without another, it has no score', async () => {
  const broken = await judge(voting({ strong: yes(3) }));
  expect(broken).toMatchObject({ passed: true, metadata: { cascade: { decided_by: 2 } } });
  expect(broken.metadata.cascade?.reason).toContain('Stage 1 (cheap) gave no verdict: ');
  const none = await judge(voting({}));
  expect(none).toMatchObject({ score: null, passed: false, metadata: { cascade: { decided_by: null } } });
});

test('what the last judge is not sure of waits for people, whose labels decide', async () => {
  const doubt = voting({ cheap: [true, false, true, false, true], strong: [true, true, false] });
  const stages = [stage('cheap', 5, 0.9), stage('strong', 3, 0.9)];
  const waiting = await judge(doubt, { stages, people: true });
  expect(waiting).toMatchObject({ score: null, metadata: { cascade: { people: 'waiting', decided_by: null } } });
  const people = async () => ({ passed: false, labels: {} });
  const decided = await judge(doubt, { stages, people: true }, { people });
  expect(decided).toMatchObject({ score: 0, passed: false, metadata: { votes: [], cascade: { decided_by: 3 } } });
  expect(decided.metadata.cascade?.stages.map(({ votes }) => votes?.length)).toEqual([5, 3]);
  const divided = await judge(doubt, { stages, people: true }, { people: async () => ({ passed: null, labels: {} }) });
  expect(divided.metadata.cascade?.people).toBe('waiting');
});

test('another cascade is another judge', () => {
  const hashOf = (cascade: Cascade) => {
    const { models, trace: _, ...options } = optionsFor(voting({}), cascade);
    return judgeHash(withDefaults(options, models), models);
  };
  const others = [
    { ...TWO, people: true },
    { ...TWO, stages: [stage('cheap', 5, 0.8), stage('strong', 3, null)] },
    { ...TWO, stages: [stage('cheap', 3, 0.9), stage('strong', 3, null)] },
  ];
  expect(new Set([TWO, ...others].map(hashOf)).size).toBe(4);
});

test('a forecast counts the first stage for certain, and the others at the most', async () => {
  const { models, trace, ...options } = optionsFor(voting({}), TWO);
  const forecasts = await forecastVotes({ ...withDefaults(options, models), trace });
  expect(forecasts.map(({ judge: { model }, calls }) => [model, calls])).toEqual([
    ['cheap', { fewest: 5, most: 5 }],
    ['strong', { fewest: 0, most: 3 }],
  ]);
});
