import { describe, expect, it } from 'vitest';
import { askedFor, type FakeJudge, fakeModels, scoring } from '../../../../../test/fake-models.ts';
import type { CachedVote, VoteCache } from '../../models/call/vote-cache.ts';
import type { JudgingEvent } from '../judge-items.ts';
import { type CalibrateJudgeOptions, calibrateJudge } from './calibrate-judge.ts';
import { type LabelledItem, readLabels } from './calibration-labels.ts';
import { calibrationRecordSchema } from './calibration-record.ts';

const rubric = [{ name: 'correct', description: 'Is it right?', weight: 1 }];

/** Items that people pass and fail in turn. */
function labelled(count: number, change: (line: number) => Record<string, unknown> = () => ({})): LabelledItem[] {
  const lines = Array.from({ length: count }, (_, index) => {
    const passed = index % 2 === 0;
    return JSON.stringify({ response: `${passed ? 'GOOD' : 'bad'} ${index}`, passed, ...change(index + 1) });
  });
  return readLabels(lines.join('\n'), { file: 'labels.jsonl' });
}

const isRight: FakeJudge = ({ messages }) => scoring({ correct: messages.at(-1)?.content?.includes('GOOD') ? 1 : 0 });

function calibration(answer: FakeJudge, change: Partial<CalibrateJudgeOptions> = {}) {
  return calibrateJudge({
    items: labelled(24),
    criteria: rubric,
    models: fakeModels(answer),
    now: () => new Date(0),
    ...change,
  });
}

function memoryCache(): VoteCache & { keys: () => number } {
  const votes = new Map<string, CachedVote>();
  return {
    keys: () => votes.size,
    get: async (key) => votes.get(key) ?? null,
    set: async (key, vote) => void votes.set(key, vote),
  };
}

describe('calibrateJudge', () => {
  it('finds a judge usable that agrees with people, and returns a record to store', async () => {
    const outcome = await calibration(isRight);
    expect(outcome).toMatchObject({ exitCode: 0, notKept: null, notJudged: 0 });
    expect(calibrationRecordSchema.parse(outcome.record)).toMatchObject({
      judge_adapter: 'openai',
      judge_model: 'gpt-4o-mini',
      k: 3,
      verdict: 'usable',
      overall: { n: 24, sensitivity: { correct: 12, total: 12 } },
    });
    expect(outcome.judgeCost.usd).toBeCloseTo(0.72);
  });

  it('stores that a judge is no better than chance', async () => {
    const outcome = await calibration(() => scoring({ correct: 1 }));
    expect(outcome).toMatchObject({ exitCode: 1, record: { verdict: 'no better than chance' } });
    expect(outcome.record?.disagreements).toEqual(outcome.disagreements);
    expect(outcome.disagreements).toHaveLength(12);
  });

  it('stores nothing when fewer than half of the items could be scored', async () => {
    const dead: FakeJudge = (call) => {
      if (call.messages.at(-1)?.content?.includes('lost')) throw new Error('the provider is down');
      return isRight(call);
    };
    const items = labelled(24, (line) => (line > 10 ? { response: 'lost' } : {}));
    const outcome = await calibration(dead, { items });
    expect(outcome).toMatchObject({ exitCode: 3, record: null, notKept: 'too few items could be scored' });
    expect(outcome.report).toMatchObject({ items: 24, scored: 10 });
    expect(outcome.report.unscored[0]).toEqual({ line: 11, error: 'the provider is down' });
  });

  it('is about one rubric: labels with different ones are compared, and not kept', async () => {
    const criteria = [{ name: 'correct', description: 'Is it right, too?' }];
    const outcome = await calibration(isRight, {
      items: labelled(24, (line) => (line === 5 ? { criteria } : {})),
    });
    expect(outcome).toMatchObject({ exitCode: 0, record: null });
    expect(outcome.notKept).toContain('different rubrics');
  });

  it('judges every label by its own rubric when it has one', async () => {
    const models = fakeModels(() => scoring({ brief: 1 }));
    const items = labelled(2, () => ({ criteria: [{ name: 'brief', description: 'Is it brief?' }] }));
    const { report } = await calibration(isRight, { items, models });
    expect(models.calls[0]?.messages[0]?.content).toContain('Is it brief?');
    expect(report.criteria.map(({ name }) => name)).toContain('brief');
  });

  it('asks for new votes in each repeat, and reports how often the verdict changes', async () => {
    const models = fakeModels(({ config }) => scoring({ correct: config.conversation?.seed === 0 ? 1 : 0 }));
    const voteCache = memoryCache();
    const once = { items: labelled(4), repeats: 2, models, cache: voteCache };
    const { report } = await calibration(isRight, once);
    expect(report.overall.repeat_flip_rate).toBe(1);
    expect(models.calls).toHaveLength(4 * 2 * 3);
    // Equal items and repeats share no vote; only the same file judged again does.
    expect(voteCache.keys()).toBe(4 * 2 * 3);
    await calibration(isRight, once);
    expect(models.calls).toHaveLength(4 * 2 * 3);
  });

  it('takes all votes, also of a judge that usually stops early', async () => {
    const models = fakeModels(isRight);
    // As the settings of an assertion are passed on.
    const settings = { criteria: rubric, k: 5, earlyStop: true };
    await calibration(isRight, { items: labelled(1), models, ...settings });
    expect(models.calls.map((call) => askedFor(call).vote)).toEqual([1, 2, 3, 4, 5]);
  });

  it('reports what was judged when it is stopped, and stores nothing', async () => {
    const stop = new AbortController();
    const onEvent = (event: JudgingEvent) => event.type === 'item_finished' && stop.abort();
    const outcome = await calibration(isRight, { stop: stop.signal, onEvent, concurrency: 1 });
    expect(outcome).toMatchObject({ exitCode: 3, notJudged: 23, record: null, notKept: 'it is not complete' });
    expect(outcome.report.items).toBe(1);
  });

  it('gives up the items under way when it is aborted, and does not count them against the judge', async () => {
    const abort = new AbortController();
    const answer: FakeJudge = () => {
      abort.abort();
      throw new Error('aborted');
    };
    const outcome = await calibration(answer, { items: labelled(1), abort: abort.signal });
    expect(outcome).toMatchObject({ exitCode: 3, notJudged: 1, judge: null, report: { unscored: [] } });
  });

  it('stops before more is spent than the budget allows', async () => {
    const outcome = await calibration(isRight, { budgetUsd: 0.1 });
    expect(outcome.judgeCost.usd).toBeLessThanOrEqual(0.1);
    expect(outcome).toMatchObject({ exitCode: 3, notJudged: 21, record: null });
    expect(outcome.notKept).toContain('another item could exceed the budget of $0.1');
  });
});
