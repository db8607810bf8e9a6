import { describe, expect, test } from 'vitest';
import { drawSample, type SimulatedJudge, truthOf } from '../../../../../test/simulated-judges.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { type AskedJudge, compareJudges } from './compare-judges.ts';
import { judgeComparisonSchema } from './judge-comparison.ts';

const LABELS = { answers: 400, perCase: 1, rate: 0.6, alike: 0 };

function compare(judges: readonly SimulatedJudge[], labels: Partial<typeof LABELS> = {}, seed = 0) {
  const sample = drawSample({ ...LABELS, ...labels }, judges, seededRandom('compare judges', seed));
  return compareJudges({ ...sample, threshold: 0.5, lines: sample.answers.length, notes: [] });
}

const sentencesOf = ({ judges }: ReturnType<typeof compare>, name: string) =>
  judges.find((judge) => judge.name === name)?.sentences.join('\n') ?? '';

describe('simulated judges, of which the truth is known', () => {
  const found = compare([
    { name: 'good', skill: 1.3, sureness: 1, usd: 0.1 },
    { name: 'too sure', skill: 1.3, sureness: 5, usd: 0.006 },
    { name: 'weak', skill: 0.6, sureness: 1, usd: 0.01 },
    { name: 'guesses', skill: 0, sureness: 1, votes: 1 },
    { name: 'votes', skill: 1.3, sureness: 1, votes: 5, refuses: 0.1 },
  ]);

  test('each is named rightly', () => {
    expect(found.judges.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['good', 'usable'],
      ['too sure', 'usable'],
      ['weak', 'weak'],
      ['guesses', 'no better than chance'],
      ['votes', 'usable'],
    ]);
    expect(sentencesOf(found, 'too sure')).toMatch(/not calibrated: where it says \d+(\.\d)?%, people passed \d+%/);
    expect(sentencesOf(found, 'good')).not.toContain('not calibrated');
    expect(sentencesOf(found, 'weak')).toContain('agrees with people less often than');
    expect(sentencesOf(found, 'guesses')).toContain('no better than chance');
    expect(found.exit_code).toBe(0);
  });

  test('the figures are near the truth, and their intervals contain it', () => {
    const truth = truthOf({ name: '', skill: 1.3, sureness: 1 }, { rate: 0.6 });
    const [good] = found.judges;
    expect(good?.kappa).toBeCloseTo(truth.kappa, 1);
    expect(good?.auroc).toBeCloseTo(truth.auroc, 1);
    for (const [ci, value] of [
      [good?.kappa_ci, truth.kappa],
      [good?.auroc_ci, truth.auroc],
      [good?.sensitivity.ci, truth.sensitivity],
      [good?.specificity.ci, truth.specificity],
    ] as const) {
      expect(ci?.[0]).toBeLessThan(value);
      expect(ci?.[1]).toBeGreaterThan(value);
    }
  });

  test('an answer that a judge could not score counts neither for nor against it', () => {
    const votes = found.judges.at(-1);
    expect(votes?.unscored.count).toBeGreaterThan(20);
    expect(votes?.n).toBe(400 - (votes?.unscored.count ?? 0));
    expect(votes?.reliability?.bins.map(({ said }) => said)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(votes?.sentences[0]).toMatch(/^could not score \d+ of 400 answers/);
    expect(found.pairs.find(({ second }) => second === 'votes')?.n).toBe(votes?.n);
  });

  test('a single vote has no probability, and no figure is about one', () => {
    expect(found.judges[3]?.reliability).toBeNull();
  });

  test('the result is the document that the schema describes', () => {
    expect(judgeComparisonSchema.parse(found)).toEqual(found);
  });
});

test('a cheap judge that is as good says so, with its interval and its cost', () => {
  const answers = Array.from({ length: 600 }, (_, index) => ({ human: index % 2 === 0, cluster: `${index}` }));
  const judge = (name: string, usd: number, wrong: (index: number) => boolean): AskedJudge => ({
    ...{ name, judge_adapter: 'a', judge_model: name, mode: 'chat', k: 1, unscoredBecause: null, cached: 0 },
    verdicts: answers.map(({ human }, index) => {
      const passed = human !== wrong(index);
      return { passed, score: Number(passed), probability: null };
    }),
    paid: answers.map(() => ({ usd, seconds: 1 })),
    cost: { usd: 600 * usd },
  });
  const judges = [
    judge('haiku', 0.01, (at) => at % 20 === 0),
    judge('luna', 0.0006, (at) => at % 20 === 0 || at === 7),
  ];
  const found = compareJudges({ answers, judges, threshold: 0.5, lines: 600, notes: [] });
  expect(found.reference).toBe('haiku');
  expect(sentencesOf(found, 'luna')).toMatch(
    /agrees with people as well as "haiku", to within 5 points \(difference 0\.00, 95% CI -0\.0\d to 0\.0\d\) at 6% of the cost\./,
  );
});

test('few labels: it says how many more would do, and claims nothing', () => {
  const judges = ['a', 'b'].map((name) => ({ name, skill: 1, sureness: 1 }));
  const found = compare(judges, { answers: 40 });
  const [other] = found.judges.filter(({ name }) => name !== found.reference);
  expect(other?.sentences.join(' ')).toMatch(/too few labels to tell whether .* about [\d,]+ more would do/);
  expect(sentencesOf(found, found.reference ?? '')).toContain('not shown to be better than');
});

test('a threshold that was chosen elsewhere is named if it is better', () => {
  // It is too lenient: what it says is true of a higher threshold.
  const sample = drawSample(LABELS, [{ name: 'lenient', skill: 1.5, sureness: 0.5 }], seededRandom('lenient'));
  const judges = sample.judges.map((judge) => ({
    ...judge,
    verdicts: judge.verdicts.map((verdict) => verdict && { ...verdict, passed: verdict.score > 0.1 }),
  }));
  const found = compareJudges({ ...sample, judges, threshold: 0.1, lines: 400, notes: [] });
  expect(found.judges[0]?.fitted?.gain.difference).toBeGreaterThan(0.1);
  expect(sentencesOf(found, 'lenient')).toMatch(/a threshold of 0\.\d\d.* tested on labels that it was not chosen by/);
});

test('a judge that scored nothing is no reference, and has no figures', () => {
  const found = compare([
    { name: 'down', skill: 1, sureness: 1, refuses: 1 },
    { name: 'up', skill: 1, sureness: 1 },
  ]);
  expect(found.reference).toBe('up');
  expect(found.judges[0]).toMatchObject({ n: 0, kappa: null, auroc: null, reliability: null, fitted: null });
  expect(found.judges[0]?.sentences).toEqual([expect.stringMatching(/^could not score 400 of 400 answers/)]);
});
