import { describe, expect, it } from 'vitest';
import type { ComparedRun, ComparedTrial } from './comparable-trials.ts';
import { compareScenario } from './compare-scenario.ts';

/** Trials of cases, each given as its outcomes: 1 passed, 0 failed, - could not be scored. */
function runOf(cases: Record<string, string> | string, options: Partial<ComparedRun> = {}): ComparedRun {
  const named: [string | null, string][] = typeof cases === 'string' ? [[null, cases]] : Object.entries(cases);
  const trials = named.flatMap(([name, outcomes]) =>
    [...outcomes].map((outcome, index): ComparedTrial => {
      const passed = outcome === '-' ? null : outcome === '1';
      return { case: name, trial: index + 1, passed, score: passed === null ? null : Number(passed) };
    }),
  );
  return { trials, seed: null, ...options };
}

/** `count` cases with the same outcomes. */
const alike = (count: number, outcomes: string, from = 1): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`case ${from + index}`, outcomes]));

describe('a scenario without data', () => {
  it("compares independent trials by Fisher's test, with the wider one of its interval and Newcombe's", () => {
    const found = compareScenario(runOf('1'.repeat(20)), runOf('1'.repeat(10) + '0'.repeat(10)));
    expect(found).toMatchObject({
      conclusion: 'worse',
      method: 'fisher_central',
      unit: 'trial',
      cases: { compared: 1 },
    });
    expect(found.p).toBeCloseTo(0.000434, 5);
    expect(found.difference).toEqual({
      value: -0.5,
      interval: [expect.closeTo(-0.7008, 3), expect.closeTo(-0.2238, 3)],
    });
  });

  it('pairs trials of the same number if both runs had the same seed', () => {
    // Eight trials changed from passed to failed, and none the other way.
    const base = runOf('1'.repeat(24) + '0'.repeat(16), { seed: 7 });
    const next = runOf('1'.repeat(16) + '0'.repeat(24), { seed: 7 });
    expect(compareScenario(base, next)).toMatchObject({
      conclusion: 'worse',
      method: 'mcnemar',
      unit: 'pair',
      p: expect.closeTo(2 ** -7, 12),
    });
    const other = compareScenario(base, { ...next, seed: 8 });
    expect(other).toMatchObject({ conclusion: 'no_evidence', method: 'fisher_central' });
  });

  it('says that trials are too few if no outcome could have been significant, and how many would do', () => {
    const found = compareScenario(runOf('111'), runOf('000'));
    expect(found).toMatchObject({
      conclusion: 'too_few_trials',
      p: 0.1,
      lowest_p: expect.closeTo(0.1),
      cases_needed: null,
    });
    expect(found.trials_needed).toBeGreaterThan(40);
  });

  const copies = (outcome: string, answer: string) => {
    const { trials } = runOf(outcome.repeat(20));
    return { trials: trials.map((trial) => ({ ...trial, answer })), seed: null };
  };

  it('counts copies of one answer as one trial, if both runs are copies', () => {
    const found = compareScenario(copies('1', 'a'), copies('0', 'b'));
    expect(found).toMatchObject({ conclusion: 'too_few_trials', p: 1, base: { pass_rate: 1, trials_scored: 20 } });
    expect(found.notes[0]).toContain('count as one trial');
    // More copies would not help.
    expect(found).toMatchObject({ trials_needed: null, cases_needed: null });
    expect(found.notes[0]).toContain('more cases would');
  });

  it('counts every trial of a classifier that always gave the right answer, and now gives it half of the time', () => {
    const answers = [...'1'.repeat(11), ...'0'.repeat(9)].map((outcome) => (outcome === '1' ? 'billing' : 'shipping'));
    const { trials } = runOf('1'.repeat(11) + '0'.repeat(9));
    const now = { trials: trials.map((trial, index) => ({ ...trial, answer: answers[index] })), seed: null };
    const [there, back] = [compareScenario(copies('1', 'billing'), now), compareScenario(now, copies('1', 'billing'))];
    expect(there).toMatchObject({ conclusion: 'worse', p: expect.closeTo(0.0012, 4), notes: [] });
    expect(back).toMatchObject({ conclusion: 'better', p: there.p });
  });

  it('has an interval of the difference of scores', () => {
    const scored = (score: number) => ({
      trials: runOf('1'.repeat(20)).trials.map((trial, index) => ({ ...trial, score: score + (index % 5) / 100 })),
      seed: null,
    });
    const found = compareScenario(scored(0.9), scored(0.88)).score;
    // Student's interval ends at -0.0293. That of the test, for which all 40 scores are alike, is a little wider.
    expect(found?.difference.interval?.[0]).toBeCloseTo(-0.0309, 4);
    expect(found?.difference.interval?.[1]).toBeCloseTo(-0.0091, 4);
    expect(found?.p).toBeLessThan(0.001);
  });

  it('leaves out trials that could not be scored, and mentions many', () => {
    const found = compareScenario(runOf('1'.repeat(20)), runOf(`${'1'.repeat(15)}${'-'.repeat(5)}`));
    expect(found).toMatchObject({ conclusion: 'no_evidence', next: { pass_rate: 1, trials_unscored: 5 } });
    expect(found.notes).toEqual(['5 of 20 trials of the new run could not be scored and are left out.']);
    expect(compareScenario(runOf('11'), runOf('--')).conclusion).toBe('not_comparable');
  });
});

describe('a scenario with data', () => {
  it('counts cases, not trials: one case that broke is no evidence, whatever its trials say', () => {
    const base = runOf(alike(20, '1'.repeat(10)));
    const next = runOf({ ...alike(20, '1'.repeat(10)), 'case 3': '0'.repeat(10) });
    expect(compareScenario(base, next)).toMatchObject({ conclusion: 'no_evidence', unit: 'case', p: 1 });
  });

  it('is an exact McNemar test if every case ran once', () => {
    const found = compareScenario(
      runOf({ ...alike(30, '1'), ...alike(10, '0', 31) }),
      runOf({ ...alike(22, '1'), ...alike(18, '0', 23) }),
    );
    expect(found).toMatchObject({
      conclusion: 'worse',
      method: 'mcnemar',
      unit: 'case',
      p: expect.closeTo(2 ** -7, 12),
    });
    expect(found.difference?.value).toBeCloseTo(-0.2, 12);
  });

  it('compares the cases that both have, by name', () => {
    const found = compareScenario(runOf(alike(12, '11')), runOf(alike(12, '11', 3)));
    expect(found.cases).toEqual({ compared: 10, only_base: ['case 1', 'case 2'], only_next: ['case 13', 'case 14'] });
    expect(found.notes).toEqual(['2 cases were scored only in the base.', '2 cases were scored only in the new run.']);
  });

  it('compares the trials of a few cases, and says that it is about these only', () => {
    const found = compareScenario(runOf(alike(3, '1'.repeat(10))), runOf(alike(3, '1'.repeat(5) + '0'.repeat(5))));
    expect(found).toMatchObject({ conclusion: 'worse', unit: 'trial', method: 'permutation' });
    expect(found.notes[0]).toContain('Fewer than 10 cases');
  });

  it('finds a difference of scores where every trial passes', () => {
    const scored = (score: number) => ({
      trials: runOf(alike(20, '11')).trials.map((trial, index) => ({ ...trial, score: score + (index % 5) / 100 })),
      seed: null,
    });
    const found = compareScenario(scored(0.95), scored(0.85));
    expect(found).toMatchObject({ conclusion: 'no_evidence', p: 1 });
    expect(found.score?.difference.value).toBeCloseTo(-0.1, 12);
    expect(found.score?.p).toBeLessThan(0.001);
  });

  it('corrects the score for being a second question about the same trials', () => {
    const scored = (score: number) => ({
      trials: runOf(alike(20, '1')).trials.map((trial, index) => ({ ...trial, score: score + ((7 * index) % 5) / 20 })),
      seed: null,
    });
    const found = compareScenario(scored(0.7), scored(0.72));
    expect(found.score?.p_holm).toBe(Math.min(1, 5 * (found.score?.p ?? 1)));
  });

  it('is mirrored when the runs are swapped', () => {
    const [base, next] = [runOf('1'.repeat(20)), runOf('1'.repeat(14) + '0'.repeat(6))];
    const there = compareScenario(base, next);
    const back = compareScenario(next, base);
    expect(back.conclusion).toBe('better');
    expect(back.p).toBe(there.p);
    expect(back.difference?.value).toBe(-(there.difference?.value ?? 0));
  });
});
