import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreTrial } from './scorer.ts';

type Scorable = Parameters<typeof scoreTrial>[0][number];

function result(score: number, changes: Partial<Scorable> = {}): Scorable {
  const plain = { assertion_type: 'jmespath', weight: 1, required: false, status: 'scored' } as const;
  return { ...plain, score, passed: score === 1, ...changes };
}

const unscored = (changes: Partial<Scorable> = {}) => result(0, { status: 'unscored', ...changes });

const anyResult = fc.record({
  assertion_type: fc.constantFrom('judge', 'jmespath', 'custom'),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  passed: fc.boolean(),
  weight: fc.double({ min: 0, max: 100, noNaN: true }),
  required: fc.boolean(),
  status: fc.constantFrom('scored' as const, 'unscored' as const),
});

const anyThreshold = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
const FULL_MARKS = { status: 'scored', score: 1, passed: true } as const;

describe('scoreTrial without a threshold', () => {
  it('passes if every assertion that counts passed, by its own verdict', () => {
    expect(scoreTrial([result(1), result(1)], undefined)).toEqual({ status: 'passed', score: 1, passed: true });
    const four = [result(1), result(1), result(1), result(1)];
    expect(scoreTrial([...four, result(0)], undefined)).toEqual({ status: 'failed', score: 0.8, passed: false });
    expect(scoreTrial([...four, result(0.99)], undefined)).toMatchObject({ status: 'failed' });
    expect(scoreTrial([...four, result(0.3, { passed: true })], undefined)).toMatchObject({ status: 'passed' });
  });

  it('takes the verdict of a judge from its votes', () => {
    const judge = (score: number, passed: boolean) => result(score, { assertion_type: 'judge', passed });
    expect(scoreTrial([judge(0.6, true), result(1)], undefined)).toMatchObject({ status: 'passed', score: 0.8 });
    expect(scoreTrial([judge(0.95, false), result(1)], undefined)).toMatchObject({ status: 'failed' });
  });

  it('is not decided by an assertion without a weight, unless it is required', () => {
    expect(scoreTrial([result(1), result(0, { weight: 0 })], undefined)).toMatchObject({ status: 'passed' });
    expect(scoreTrial([result(1), unscored({ weight: 0 })], undefined)).toMatchObject({ status: 'passed' });
    expect(scoreTrial([result(1), result(0, { weight: 0, required: true })], undefined)).toMatchObject({
      status: 'hard_fail',
    });
  });

  it('has failed if one assertion did, whatever another would have said', () => {
    expect(scoreTrial([result(0), result(1), unscored()], undefined)).toEqual({
      status: 'failed',
      score: 0.5,
      passed: false,
    });
    expect(scoreTrial([result(1), unscored()], undefined)).toEqual({ status: 'unscored', score: null, passed: false });
    expect(scoreTrial([result(0, { weight: 0 }), unscored()], undefined)).toMatchObject({ status: 'unscored' });
  });
});

describe('scoreTrial with a threshold', () => {
  it('is the weighted mean of the assertions', () => {
    expect(scoreTrial([result(1, { weight: 3 }), result(0)], 0.8)).toEqual({
      status: 'failed',
      score: 0.75,
      passed: false,
    });
    expect(scoreTrial([result(1, { weight: 3 }), result(0)], 0.75)).toEqual({
      status: 'passed',
      score: 0.75,
      passed: true,
    });
    expect(scoreTrial([result(0), result(1, { weight: 0 })], 0)).toEqual({ status: 'passed', score: 0, passed: true });
  });

  it('does not let the last bit of a sum decide', () => {
    const results = [result(1, { weight: 0.1 }), result(1, { weight: 0.7 }), result(0, { weight: 0.2 })];
    expect(scoreTrial(results, 0.8)).toMatchObject({ status: 'passed' });
  });

  it('is a hard fail when a required assertion fails, at any score', () => {
    const results = [result(1, { weight: 99 }), result(0, { required: true })];
    expect(scoreTrial(results, 0.5)).toEqual({ status: 'hard_fail', score: 0.99, passed: false });
    expect(scoreTrial([result(1, { weight: 1 }), result(0, { required: true, weight: 0 })], 0.5)).toMatchObject({
      status: 'hard_fail',
    });
  });

  it('uses what a required assertion says of itself, not its score', () => {
    expect(scoreTrial([result(0.9, { required: true, passed: true })], 0.8)).toMatchObject({ status: 'passed' });
    expect(scoreTrial([result(0.9, { required: true, passed: false })], 0.8)).toMatchObject({ status: 'hard_fail' });
  });

  it('follows the verdict of a judge, not its score', () => {
    const judge = (changes: Partial<Scorable>) => result(1, { assertion_type: 'judge', passed: false, ...changes });
    expect(scoreTrial([judge({})], 0.8)).toEqual({ status: 'failed', score: 1, passed: false });
    expect(scoreTrial([judge({ score: 0.9, weight: 0.01 }), result(1)], 0)).toMatchObject({ status: 'failed' });
    expect(scoreTrial([judge({ required: true })], 0.8)).toMatchObject({ status: 'hard_fail' });
    // A judge that passes still adds its score to that of the trial.
    expect(scoreTrial([judge({ passed: true, score: 0.6 })], 0.8)).toMatchObject({ status: 'failed' });
    expect(scoreTrial([judge({ weight: 0 }), result(1)], 0.8)).toMatchObject({ status: 'passed' });
  });

  it('gives partial credit for other assertions that failed, but not when they failed with a full score', () => {
    expect(scoreTrial([result(0.9, { assertion_type: 'custom', passed: false })], 0.8)).toMatchObject({ passed: true });
    expect(scoreTrial([result(1, { assertion_type: 'custom', passed: false })], 0.8)).toMatchObject({
      status: 'failed',
    });
  });

  it('is unscored, without a score to average, when an assertion that counts is', () => {
    expect(scoreTrial([result(1), unscored()], 0.1)).toEqual({ status: 'unscored', score: null, passed: false });
    expect(scoreTrial([unscored({ required: true })], 0)).toMatchObject({ status: 'unscored' });
    expect(scoreTrial([result(1), unscored({ weight: 0, required: true })], 0)).toMatchObject({ status: 'unscored' });
    expect(scoreTrial([result(1), unscored({ weight: 0 })], 0)).toEqual({ status: 'passed', score: 1, passed: true });
  });

  it('has failed if full marks for what could not be scored would not reach the threshold', () => {
    const results = [result(0, { weight: 3 }), result(1), unscored()];
    expect(scoreTrial(results, 0.41)).toEqual({ status: 'failed', score: 0.25, passed: false });
    expect(scoreTrial(results, 0.4)).toEqual({ status: 'unscored', score: null, passed: false });
  });

  it('has failed if a judge failed it, whatever could not be scored', () => {
    const judge = result(0.9, { assertion_type: 'judge', passed: false });
    expect(scoreTrial([judge, result(1), unscored()], 0.1)).toEqual({ status: 'failed', score: 0.95, passed: false });
  });

  it('fails hard though another assertion is unscored: that could not change it', () => {
    expect(scoreTrial([result(0, { required: true }), result(1), unscored()], 0.1)).toEqual({
      status: 'hard_fail',
      score: 0.5,
      passed: false,
    });
    expect(scoreTrial([result(0, { required: true, weight: 0 }), unscored()], 0.1)).toEqual({
      status: 'hard_fail',
      score: null,
      passed: false,
    });
  });

  it('is unscored when nothing of any weight was checked', () => {
    expect(scoreTrial([], 0)).toEqual({ status: 'unscored', score: null, passed: false });
    expect(scoreTrial([result(1, { weight: 0 })], 0)).toMatchObject({ status: 'unscored' });
  });

  it('keeps its rules for any results', () => {
    fc.assert(
      fc.property(fc.array(anyResult), anyThreshold, (results, threshold) => {
        const trial = scoreTrial(results, threshold);
        const hard = results.some(({ status, required, passed }) => status === 'scored' && required && !passed);
        expect(trial.passed).toBe(trial.status === 'passed');
        expect(trial.status === 'hard_fail').toBe(hard);
        const judgeFailed = results.some(
          ({ assertion_type, status, passed, weight }) =>
            assertion_type === 'judge' && status === 'scored' && !passed && weight > 0,
        );
        if (judgeFailed) expect(trial.passed).toBe(false);
        if (trial.status === 'unscored') expect(trial.score).toBeNull();
        if (trial.score !== null) {
          expect(trial.score).toBeGreaterThanOrEqual(0);
          expect(trial.score).toBeLessThanOrEqual(1);
        }
        const counts = results.filter(({ weight, required }) => weight > 0 || required);
        if (counts.some(({ status }) => status === 'unscored')) expect(trial.status).not.toBe('passed');
        // However the open assertions had turned out, the trial would have failed.
        if (trial.status === 'failed') {
          const filled = results.map((each) => (each.status === 'scored' ? each : { ...each, ...FULL_MARKS }));
          expect(scoreTrial(filled, threshold).status).toBe('failed');
        }
        if (threshold === undefined && trial.passed) {
          expect(results.filter(({ weight, passed }) => weight > 0 && !passed)).toEqual([]);
        }
        expect(scoreTrial(results.toReversed(), threshold)).toEqual(trial);
      }),
    );
  });
});
