import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCalibration } from '../../../../../test/sample-calibration.ts';
import type { VoteScores } from '../../models/scoring/read-scores.ts';
import { type CalibrationItem, calibrate } from './calibration.ts';
import { calibrationRecordSchema } from './calibration-record.ts';

const criteria = [
  { name: 'facts', weight: 3 },
  { name: 'tone', weight: 1 },
];

const judge = {
  judge_hash: 'abc',
  created_at: '2026-01-01T00:00:00.000Z',
  judge_adapter: 'openai',
  judge_model: 'gpt-4o-mini',
  k: 3,
  judge: sampleCalibration().judge,
};

function vote(scores: Record<string, number>): VoteScores {
  return Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, { score, reasoning: '' }]));
}

/** An item on which every vote gives `judge` for all criteria and people give `human`. */
function item(human: number, judge: number, votes = 3): CalibrationItem {
  return {
    labels: { facts: human, tone: human },
    votes: [Array.from({ length: votes }, () => vote({ facts: judge, tone: judge }))],
    outcome: { score: judge, passed: judge >= 0.8 },
  };
}

function times(count: number, one: CalibrationItem): CalibrationItem[] {
  return Array.from({ length: count }, () => one);
}

function calibrated(items: CalibrationItem[], options: { seed?: number; threshold?: number } = {}) {
  return calibrate({ items, criteria, threshold: 0.8, seed: 1, ...options }).report;
}

describe('calibrate', () => {
  it('finds a judge usable that agrees with people', () => {
    const report = calibrated([...times(15, item(1, 1)), ...times(15, item(0, 0)), ...times(10, item(0.5, 0.5))]);
    expect(report).toMatchObject({ verdict: 'usable', items: 40, scored: 40, unscored: [], unreadable_votes: 0 });
    expect(report.overall).toMatchObject({
      n: 40,
      human_passed: 15,
      agreement: 1,
      kappa: 1,
      kappa_ci: [expect.closeTo(0.9, 1), 1],
      spearman: 1,
      kendall: 1,
      mean_error: 0,
      mean_absolute_error: 0,
      sensitivity: { correct: 15, total: 15, rate: 1 },
      specificity: { correct: 25, total: 25, rate: 1 },
      vote_flip_rate: 0,
      repeat_flip_rate: null,
      best_threshold: { threshold: 0.8, kappa: 1 },
      votes_needed: 1,
    });
    expect(report.criteria.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['facts', 'usable'],
      ['tone', 'usable'],
    ]);
  });

  it('counts sensitivity and specificity by what people say', () => {
    // Both pass 20, only the judge 10, only people 5, neither 15: the published kappa of 0.4.
    const report = calibrated([
      ...times(20, item(1, 1)),
      ...times(10, item(0, 1)),
      ...times(5, item(1, 0)),
      ...times(15, item(0, 0)),
    ]);
    expect(report.overall.kappa).toBeCloseTo(0.4, 12);
    expect(report.overall.agreement).toBe(0.7);
    expect(report.overall.sensitivity).toMatchObject({ correct: 20, total: 25, rate: 0.8 });
    expect(report.overall.specificity).toMatchObject({ correct: 15, total: 25, rate: 0.6 });
    // Wilson's interval of 20 of 25.
    expect(report.overall.sensitivity.ci?.[0]).toBeCloseTo(0.587, 4);
    expect(report.overall.mean_error).toBeCloseTo(0.1, 12);
    expect(report.overall.mean_absolute_error).toBeCloseTo(0.3, 12);
    expect(report.verdict).toBe('weak');
  });

  it('finds a judge no better than chance that passes everything, or decides at random', () => {
    expect(calibrated([...times(20, item(1, 1)), ...times(20, item(0, 1))]).verdict).toBe('no better than chance');
    const coin = [item(1, 1), item(1, 0), item(0, 1), item(0, 0)].flatMap((each) => times(25, each));
    expect(calibrated(coin)).toMatchObject({ verdict: 'no better than chance', overall: { kappa: 0, agreement: 0.5 } });
  });

  it('shows where a judge is merely too strict: another threshold agrees fully', () => {
    const report = calibrated([...times(20, item(1, 0.7)), ...times(20, item(0, 0.3))]);
    expect(report.overall).toMatchObject({ kappa: 0, best_threshold: { threshold: 0.5, kappa: 1 }, spearman: 1 });
  });

  it('an item the judge could not score is listed, and counts neither for nor against it', () => {
    const dead: CalibrationItem = { ...item(1, 0), line: 7, votes: [[null, null]], outcome: null, error: 'HTTP 503' };
    const silent: CalibrationItem = { passed: true, votes: [], outcome: null };
    const scored = [...times(10, item(1, 1)), ...times(10, item(0, 0))];
    const report = calibrated([dead, silent, ...scored]);
    expect(report).toMatchObject({ items: 22, scored: 20, votes: 62, unreadable_votes: 2 });
    expect(report.unscored).toEqual([
      { line: 7, error: 'HTTP 503' },
      { line: 2, error: null },
    ]);
    expect(report.overall).toEqual(calibrated(scored).overall);
  });

  it('takes the verdict of people before the one their scores imply', () => {
    const { overall } = calibrated([{ ...item(1, 0), passed: false }]);
    expect(overall).toMatchObject({ n: 1, human_passed: 0, n_scores: 1, agreement: 1, mean_error: -1 });
  });

  it('knows no score where people only said pass or fail', () => {
    const { overall, criteria: each } = calibrated([
      { passed: true, votes: item(0, 1).votes, outcome: { score: 1, passed: true } },
    ]);
    expect(overall).toMatchObject({ n: 1, n_scores: 0, spearman: null, kendall: null, mean_error: null });
    expect(each[0]).toMatchObject({
      n: 0,
      kappa: null,
      agreement: null,
      sensitivity: { total: 0, rate: null, ci: null },
    });
  });

  it('does not take a criterion that people left out for a 0', () => {
    const partly: CalibrationItem = { ...item(1, 1), labels: { tone: 1 } };
    const report = calibrated(times(3, partly));
    expect(report.overall.n).toBe(0);
    expect(report.criteria.map(({ n }) => n)).toEqual([0, 3]);
    expect(report.reason).toContain('of its criteria "tone" is the weakest');
  });

  it('weighs the labels as the votes are weighed', () => {
    const mixed: CalibrationItem = { ...item(0, 1), labels: { facts: 1, tone: 0.2 } };
    expect(calibrated([mixed]).overall).toMatchObject({ human_passed: 1, mean_error: 1 - 0.8 });
  });

  it('a criterion that no vote scored is not scored, rather than 0', () => {
    const silent: CalibrationItem = { ...item(1, 1), votes: [[vote({ facts: 1 }), null]] };
    const report = calibrated([silent]);
    expect(report.criteria.map(({ n }) => n)).toEqual([1, 0]);
    expect(report.unreadable_votes).toBe(1);
  });

  it('takes the median of the votes on a criterion', () => {
    const torn: CalibrationItem = {
      ...item(0.9, 1),
      votes: [[0.1, 0.9, 1].map((score) => vote({ facts: score, tone: score }))],
    };
    expect(calibrated([torn]).criteria[0]).toMatchObject({ mean_error: 0, agreement: 1, vote_flip_rate: 2 / 3 });
  });

  it('tells how often a vote contradicts another, and a repeat the first', () => {
    const [yes, no] = [vote({ facts: 1, tone: 1 }), vote({ facts: 0, tone: 0 })];
    const unsteady: CalibrationItem = {
      ...item(1, 1),
      votes: [
        [yes, yes, no],
        [no, no, yes],
      ],
    };
    const steady: CalibrationItem = {
      ...item(1, 1),
      votes: [
        [yes, yes, yes],
        [yes, yes, yes],
      ],
    };
    const { overall } = calibrated([unsteady, steady]);
    // Three passes of six votes: 2 * 3 * 3 / 30 = 0.6 of the pairs differ; the two majorities do.
    expect(overall.vote_flip_rate).toBeCloseTo(0.3, 12);
    expect(overall.repeat_flip_rate).toBe(0.5);
    expect(overall.votes_needed).toBeNull();
  });

  it('compares the first repeat only with people', () => {
    const [yes, no] = [vote({ facts: 1, tone: 1 }), vote({ facts: 0, tone: 0 })];
    const { criteria: each } = calibrated([{ ...item(1, 1), votes: [[yes], [no], [no]] }]);
    expect(each[0]).toMatchObject({ n: 1, agreement: 1 });
  });

  it("uses an item's own rubric where it has one", () => {
    const own: CalibrationItem = {
      criteria: [{ name: 'style', weight: 1 }],
      labels: { style: 1 },
      votes: [[vote({ style: 1 }), vote({ style: 0 })]],
      outcome: { score: 1, passed: true },
    };
    const report = calibrated([own, item(1, 1)]);
    expect(report.criteria.map(({ name, n }) => [name, n])).toEqual([
      ['facts', 1],
      ['tone', 1],
      ['style', 1],
    ]);
    expect(report.overall).toMatchObject({ n: 2, agreement: 1, vote_flip_rate: 0.5 });
  });

  it('reads criteria with names of object properties', () => {
    const { report } = calibrate({
      items: [{ ...item(1, 1), labels: { facts: 1 } }],
      criteria: [
        { name: '__proto__', weight: 1 },
        { name: 'constructor', weight: 1 },
      ],
      threshold: 0.8,
      seed: 1,
    });
    expect(report.criteria.map(({ n }) => n)).toEqual([0, 0]);
    expect(report.overall.n).toBe(0);
  });

  it('without items has too few labels, with null for every undefined number', () => {
    const report = calibrated([]);
    expect(report).toMatchObject({ verdict: 'too few labels', items: 0, scored: 0, votes: 0 });
    expect(report.overall).toMatchObject({ agreement: null, kappa: null, vote_flip_rate: null, votes_needed: null });
  });

  it('is the same for the same seed, and a document that can be stored', () => {
    const score = fc.constantFrom(0, 0.25, 0.5, 0.75, 0.8, 1);
    const anyItem = fc.record({
      labels: fc.option(fc.dictionary(fc.constantFrom('facts', 'tone'), score)),
      passed: fc.option(fc.boolean()),
      votes: fc.array(
        fc.array(fc.option(fc.dictionary(fc.constantFrom('facts', 'tone'), score).map(vote)), { maxLength: 4 }),
        { maxLength: 3 },
      ),
      outcome: fc.option(fc.record({ score, passed: fc.boolean() })),
    });
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 25 }), fc.integer(), (items, seed) => {
        const report = calibrated(items, { seed });
        expect(calibrated(items, { seed })).toEqual(report);
        const record = { ...judge, ...report, disagreements: [] };
        expect(calibrationRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a calibration record', () => {
  const report = calibrated([
    ...times(18, item(1, 1)),
    ...times(2, item(1, 0)),
    ...times(8, item(0, 0)),
    ...times(2, item(0, 1)),
  ]);
  const record = { ...judge, ...report, disagreements: [] };

  it('is read as it was written', () => {
    expect(calibrationRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
    expect(calibrationRecordSchema.safeParse({ ...record, judge_hash: '' }).success).toBe(false);
  });
});
