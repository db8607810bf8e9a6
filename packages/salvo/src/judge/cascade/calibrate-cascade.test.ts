import { expect, test } from 'vitest';
import { drawSample, type SimulatedJudge } from '../../../../../test/simulated-judges.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { applyCascade } from './apply-cascade.ts';
import { calibrateCascade } from './calibrate-cascade.ts';
import type { CascadeGoal } from './fit-cascade.ts';

const CHEAP = { name: 'cheap', skill: 1.2, sureness: 1, usd: 0.001 };
const STRONG = { name: 'strong', skill: 2, sureness: 1, usd: 0.02 };

function calibrate(judges: SimulatedJudge[], goal: CascadeGoal, { people = false, answers: count = 300 } = {}) {
  const labels = { answers: count, perCase: 1, rate: 0.6, alike: 0 };
  const { answers, judges: asked } = drawSample(labels, judges, seededRandom('cascade test'));
  return calibrateCascade({
    ...{ answers, goal, people, threshold: 0.5, lines: count, notes: [] },
    judges: asked.map((judge, index) => ({ ...judge, usd: answers.map(() => judges[index]?.usd ?? null) })),
  });
}

test('a stage decides from its sure, and leaves the rest to those after it', () => {
  const stages = [{ passed: true, sureness: 0.7 }, null, { passed: false, sureness: null }];
  expect(applyCascade(stages, [0.7, 0.9, 'all'])).toEqual({ passed: true, decidedBy: 0, asked: [0] });
  expect(applyCascade(stages, [0.8, 0.9, 'all'])).toEqual({ passed: false, decidedBy: 2, asked: [0, 1, 2] });
  expect(applyCascade(stages, ['none', 0.9, 0.6])).toEqual({ passed: null, decidedBy: null, asked: [1, 2] });
});

test('for an agreement, it is chosen on one half and tested on the other, with the YAML to paste', () => {
  const found = calibrate([CHEAP, STRONG], { agreement: 0.9 });
  expect(found).toMatchObject({ reached: true, exit_code: 0, cascade: { tested: 150 } });
  expect(found.cascade?.agreement.rate).toBeGreaterThan(0.9);
  expect(found.cascade?.cost_usd_per_verdict).toBeLessThan(0.5 * 0.02);
  expect(found.yaml).toMatch(/^cascade:\n {2}- \{ adapter: simulated, model: cheap, mode: decide, sure: 0\.\d+ \}\n/);
  expect(found.sentences[0]).toMatch(
    /tested on labels that it was not chosen by, for .* of the cost of "strong" alone/,
  );
});

test('a judge that is too sure gets a higher sure than one that is not', () => {
  const sureOf = (sureness: number) => calibrate([{ ...CHEAP, sureness }, STRONG], { agreement: 0.93 }).stages[0]?.sure;
  expect(Number(sureOf(5))).toBeGreaterThan(Number(sureOf(1)));
});

test('for a cost, the agreement is the highest that the money buys', () => {
  const dear = calibrate([CHEAP, STRONG], { usd: 0.01 });
  const cheap = calibrate([CHEAP, STRONG], { usd: 0.002 });
  expect(Number(dear.stages[0]?.sure)).toBeGreaterThan(Number(cheap.stages[0]?.sure));
  expect(calibrate([CHEAP, STRONG], { usd: 0.0001 })).toMatchObject({ reached: false, exit_code: 1, yaml: null });
});

test('an agreement that the last judge does not reach needs people', () => {
  const weak = { ...STRONG, skill: 1 };
  const alone = calibrate([CHEAP, weak], { agreement: 0.95 });
  expect(alone).toMatchObject({ reached: false, exit_code: 1, yaml: null, cascade: null });
  expect(alone.sentences[1]).toContain('{people: true}');
  const people = calibrate([CHEAP, weak], { agreement: 0.93 }, { people: true, answers: 600 });
  expect(people).toMatchObject({ reached: true, people: true });
  expect(people.cascade?.undecided.count).toBeGreaterThan(20);
  expect(people.yaml).toMatch(/\{ people: true \}$/);
});

test('too few labels are said to be too few', () => {
  const few = calibrate([CHEAP, STRONG], { agreement: 0.95 }, { answers: 20 });
  expect(few).toMatchObject({ reached: false, exit_code: 3 });
  expect(few.sentences[0]).toMatch(/^Too few labels to show that a cascade reaches 95%/);
});

test('a stage that costs more than it saves is left out', () => {
  const found = calibrate([{ ...CHEAP, usd: 0.03 }, STRONG], { agreement: 0.9 });
  expect(found).toMatchObject({ stages: [{ sure: 'none' }, { sure: 'all' }], yaml: null, exit_code: 1 });
});

test('an unknown price is not a price of 0', () => {
  const judges = [CHEAP, { name: 'strong', skill: 2, sureness: 1 }];
  const found = calibrate(judges, { usd: 1 });
  expect(found).toMatchObject({ reached: false, exit_code: 1 });
  expect(found.sentences[0]).toContain('The cost of "strong" is unknown');
});
