import { expect, test } from 'vitest';
import { BIASES, type Bias, biasSchema } from './bias-document.ts';
import { biasEffects, type ScoredPair } from './bias-effects.ts';

/** Scores of equal answers vary a little from case to case; the changed one has `effect` more. */
function pairs(count: number, effect: number): ScoredPair[] {
  return Array.from({ length: count }, (_, index) => {
    const score = 0.4 + 0.05 * (index % 5);
    const noise = 0.05 * ((index % 3) - 1);
    const verdict = (value: number) => ({ score: value, passed: value >= 0.55 });
    return { plain: verdict(score), changed: verdict(score + effect + noise), cluster: `case ${index}` };
  });
}

const effects = (of: Partial<Record<Bias, ScoredPair[]>>) =>
  biasEffects(BIASES.map((bias) => ({ bias, pairs: of[bias] ?? [], leftOut: [{ reason: 'empty', answers: 3 }] })));

const sentenceOf = (found: ReturnType<typeof effects>, bias: Bias) =>
  found.find((each) => each.bias === bias)?.sentence;

test('planted effects are named, with their size; the others are not', () => {
  const found = effects({
    length: pairs(60, 0.08),
    formatting: pairs(60, 0),
    tone: pairs(60, -0.2),
    authority: pairs(6, 0.05),
  });
  expect(found.map(({ bias, found: what }) => [bias, what])).toEqual([
    ['length', 'raises'],
    ['formatting', 'none'],
    ['tone', 'lowers'],
    ['authority', 'too few'],
    ['family', 'not measured'],
    ['language', 'not measured'],
  ]);
  expect(sentenceOf(found, 'length')).toMatch(
    /^prefers longer answers: \+0\.40 of 5 points \(95% CI 0\.3\d to 0\.4\d\) for padding without content; pass rate \+\d+ /,
  );
  expect(sentenceOf(found, 'formatting')).toMatch(
    /^formatting: no difference of more than 0\.5 points: 0\.00 of 5 points/,
  );
  expect(sentenceOf(found, 'tone')).toMatch(/^prefers a hedged tone: -1\.00 of 5 points/);
  expect(sentenceOf(found, 'authority')).toMatch(/too few pairs to tell: .*; about \d+ more would do\.$/);
  expect(sentenceOf(found, 'family')).toBe('family: not measured: no answer has a pair (3 empty).');
  for (const each of found) expect(biasSchema.parse(each)).toEqual(each);
});

test('Holm corrects over the biases that have pairs', () => {
  const alone = effects({ length: pairs(12, 0.03) })[0];
  const beside = effects({ length: pairs(12, 0.03), formatting: pairs(12, 0), tone: pairs(12, 0) })[0];
  expect(alone?.p_holm).toBe(alone?.p);
  expect(beside?.p).toBe(alone?.p);
  expect(beside?.p_holm).toBeCloseTo(3 * (alone?.p ?? 0));
});

test('answers of one case count as one: a single case tells nothing', () => {
  const ofOneCase = pairs(60, 0.2).map((pair) => ({ ...pair, cluster: 'the only one' }));
  expect(effects({ length: ofOneCase })[0]).toMatchObject({ n: 60, cases: 1, found: 'too few', ci: [-5, 5] });
});

test('a judge that never differs may still differ elsewhere: with few pairs nothing is claimed', () => {
  const same = (count: number) => pairs(count, 0).map((pair) => ({ ...pair, changed: pair.plain }));
  expect(effects({ length: same(20) })[0]?.found).toBe('too few');
  expect(effects({ length: same(60) })[0]).toMatchObject({ found: 'none', points: 0, p: 1 });
});
