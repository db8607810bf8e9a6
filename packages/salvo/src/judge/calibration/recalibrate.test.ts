import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../stats/seeded-random.ts';
import { recalibrate, type SaidAnswer } from './recalibrate.ts';

/** Answers that pass with a probability, of which a judge says something else. */
function drawn(count: number, say: (truth: number) => number): SaidAnswer[] {
  const random = seededRandom('recalibrate', count);
  return Array.from({ length: count }, (_, index) => {
    const truth = random();
    return { probability: say(truth), human: random() < truth, cluster: `case ${index}` };
  });
}

const tooSure = (truth: number) => 1 / (1 + Math.exp(-5 * Math.log(truth / (1 - truth))));

describe('recalibrate', () => {
  test('corrects a judge that is too sure, and keeps the order of what it says', () => {
    const { recalibration } = recalibrate(drawn(200, tooSure), { seed: 0 });
    expect(recalibration).toMatchObject({ answers: 200, cases: 200 });
    expect(recalibration?.log_loss_after).toBeLessThan((recalibration?.log_loss_before ?? 0) - 0.1);
  });

  test('changes the verdicts of a judge that is too strict, each by a map that was fitted without its case', () => {
    const answers = drawn(200, (truth) => truth ** 3);
    const found = recalibrate(answers, { seed: 0 });
    if (!found.recalibration) throw new Error(found.because);
    const agrees = (verdicts: readonly boolean[]) => answers.filter(({ human }, at) => human === verdicts[at]).length;
    expect(found.recalibration.verdicts_changed).toBeGreaterThan(20);
    expect(agrees(found.passed)).toBeGreaterThan(agrees(answers.map(({ probability }) => probability > 0.5)));
  });

  test('leaves a calibrated judge as it is', () => {
    const found = recalibrate(
      drawn(200, (truth) => truth),
      { seed: 0 },
    );
    expect(found).toEqual({ recalibration: null, because: expect.stringContaining('clearly better than none') });
  });

  test('leaves a judge as it is whose probabilities say nothing, or the opposite', () => {
    const opposite = drawn(200, (truth) => 1 - truth);
    const found = recalibrate(opposite, { seed: 0 });
    const points = found.recalibration?.map.method === 'isotonic' ? found.recalibration.map.points : [];
    // At most everything is mapped to the rate of passes: it never turns a judge round.
    expect(points.every(([, mapped]) => Math.abs(mapped - 0.5) < 0.15)).toBe(true);
  });

  test.each([
    ['few answers', drawn(49, tooSure)],
    ['one kind', drawn(80, tooSure).map((each) => ({ ...each, human: true }))],
    ['few cases', drawn(80, tooSure).map((each, index) => ({ ...each, cluster: `case ${index % 9}` }))],
    ['none', []],
  ])('fits nothing on %s', (_, answers) => {
    expect(recalibrate(answers, { seed: 0 })).toEqual({
      recalibration: null,
      because: expect.stringContaining('it needs 50 labelled answers'),
    });
  });
});
