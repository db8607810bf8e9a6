import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedFor, fakeModels, scoring } from '../../../../../../test/fake-models.ts';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { tried } from '../../../../../../test/thorough.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import { scenarioFieldsSchema } from '../../../scenario/schema/scenario-schema.ts';
import { evaluateTrial } from '../../../trial/evaluate-trial.ts';

/** The scores of two criteria; null when the vote cannot be read. */
type Vote = [number, number] | null;

interface JudgeCase {
  /** In the order in which they are cast: judge by judge of a panel, then again. */
  votes: Vote[];
  panel: number[];
  threshold: number;
  aggregation: 'median' | 'mean' | 'trimmed_mean';
  weight: number;
  required: boolean;
}

interface TrialCase {
  judges: JudgeCase[];
  /** Whether an assertion that is not a judge's passes; null: cannot be scored. */
  others: { passed: boolean | null; weight: number; required: boolean }[];
  threshold: number;
}

const CRITERIA = [
  { name: 'a', description: 'Is right.', weight: 1 },
  { name: 'b', description: 'Is short.', weight: 2 },
];

async function trialOf({ judges, others, threshold }: TrialCase, early_stop: boolean, exactScore = false) {
  const models = fakeModels((call) => {
    const [, position] = /^judge-(\d+)/.exec(call.config.model) ?? [];
    const vote = judges[Number(position)]?.votes[askedFor(call).vote - 1] ?? null;
    return vote ? scoring({ a: vote[0], b: vote[1] }) : { content: 'hm' };
  });
  const judged = judges.map(({ votes, panel, ...judge }, position) =>
    ASSERTION_SCHEMAS.judge.parse({
      ...{ type: 'judge', id: `judge-${position}`, criteria: CRITERIA, k: votes.length / panel.length, early_stop },
      ...judge,
      judges: panel.map((weight, index) => ({ adapter: 'a', model: `judge-${position}-${index}`, weight })),
    }),
  );
  const checked = others.map(({ passed, ...other }) =>
    passed === null
      ? ASSERTION_SCHEMAS.custom.parse({ type: 'custom', module: './missing.mjs', ...other })
      : ASSERTION_SCHEMAS.output_contains.parse({
          type: 'output_contains',
          value: passed ? 'Done' : 'nowhere',
          ...other,
        }),
  );
  const fields = scenarioFieldsSchema.parse({ prompt: 'Please.', threshold });
  // Judges first: the others are evaluated before them all the same.
  const scenario = { ...fields, name: 's', assertions: [...judged, ...checked] };
  const trace = sampleTrace({ final_content: 'Done.' });
  const context = { scenario, models, trialNumber: 1, exactScore };
  const trial = await evaluateTrial({ trace, traceId: null, context });
  return { ...trial, calls: models.calls.filter(({ config }) => config.conversation?.request === 0).length };
}

const score = fc.constantFrom(0, 0.4, 0.5, 0.6, 0.8, 1);
const threshold = fc.constantFrom(0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.95, 1);
const weight = fc.constantFrom(0, 0.1, 1, 1, 3);
const rarely = fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0);

const judgeCase: fc.Arbitrary<JudgeCase> = fc
  .record({ k: fc.integer({ min: 1, max: 5 }), panel: fc.constantFrom<number[]>([1], [1], [1, 1], [1, 2.5, 1]) })
  .chain(({ k, panel }) => {
    const size = k * panel.length;
    const vote: fc.Arbitrary<Vote> = fc.option(fc.tuple(score, score), { nil: null, freq: 8 });
    return fc.record({
      votes: fc.array(vote, { minLength: size, maxLength: size }),
      panel: fc.constant(panel),
      threshold,
      aggregation: fc.constantFrom('median', 'mean', 'trimmed_mean'),
      weight,
      required: rarely,
    });
  });
const trialCase: fc.Arbitrary<TrialCase> = fc.record({
  judges: fc.array(judgeCase, { minLength: 1, maxLength: 2 }),
  others: fc.array(fc.record({ passed: fc.constantFrom(true, true, false, true, null), weight, required: rarely }), {
    maxLength: 2,
  }),
  threshold,
});

describe('a judge that failed', () => {
  test('fails the trial, whatever the score and the other assertions are', async () => {
    let failures = 0;
    await fc.assert(
      fc.asyncProperty(trialCase, async (drawn) => {
        const { passed, eval_results } = await trialOf(drawn, false);
        const failed = eval_results.filter(
          (result) =>
            result.assertion_type === 'judge' && result.status === 'scored' && !result.passed && result.weight > 0,
        );
        fc.pre(failed.length > 0);
        failures += 1;
        expect(passed).toBe(false);
      }),
      { numRuns: tried(500) },
    );
    expect(failures).toBe(tried(500));
  });

  test('fails it with a score of 1.00, as two of three votes do here', async () => {
    const votes: Vote[] = [
      [1, 0.4],
      [0.4, 1],
      [1, 1],
    ];
    const judge: JudgeCase = { votes, panel: [1], threshold: 0.9, aggregation: 'median', weight: 1, required: false };
    const trial = await trialOf({ judges: [judge], others: [], threshold: 0.8 }, false);
    expect(trial).toMatchObject({ status: 'failed', score: 1, passed: false });
  });
});

describe('early_stop', () => {
  test('changes the status of no trial', async () => {
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(trialCase, async (drawn) => {
        const [all, some] = [await trialOf(drawn, false), await trialOf(drawn, true)];
        expect(some.status).toBe(all.status);
        const outcomes = (trial: typeof all) =>
          trial.eval_results.map(({ assertion_id, status, passed }) => [assertion_id, status, passed]);
        expect(outcomes(some)).toEqual(outcomes(all));
        saved += all.calls - some.calls;
      }),
      { numRuns: tried(1000) },
    );
    expect(saved).toBeGreaterThan(0);
  });

  test('changes no score where the mean of the scores has to reach something', async () => {
    let saved = 0;
    await fc.assert(
      fc.asyncProperty(trialCase, async (drawn) => {
        const [all, some] = [await trialOf(drawn, false), await trialOf(drawn, true, true)];
        expect({ status: some.status, score: some.score }).toEqual({ status: all.status, score: all.score });
        saved += all.calls - some.calls;
      }),
      { numRuns: tried(1000) },
    );
    expect(saved).toBeGreaterThan(0);
  });

  test.each<[string, Vote[], number, Partial<TrialCase>]>([
    // The threshold of the judge is 0.5, that of the scenario 0.8.
    ['as long as the score can fall below that of the scenario', pairs(0.6, 1, 1, 0.6, 0.6), 5, {}],
    ['until the score is high enough', pairs(0.6, 1, 1, 1, 0.6), 4, {}],
    ['until the verdict is settled when it fails', pairs(0, 0, 0, 1, 1), 3, {}],
    [
      'until the verdict is settled when the trial fails in any case',
      pairs(0.6, 1, 1, 0.6, 0.6),
      3,
      { others: [{ passed: false, weight: 9, required: false }] },
    ],
    [
      'until the verdict is settled when the trial passes with any score',
      pairs(0.6, 1, 1, 0.6, 0.6),
      3,
      { others: [{ passed: true, weight: 9, required: false }] },
    ],
  ])('asks %s', async (_, votes, calls, changes) => {
    const judge: JudgeCase = { votes, panel: [1], threshold: 0.5, aggregation: 'median', weight: 1, required: false };
    const trial = await trialOf({ judges: [judge], others: [], threshold: 0.8, ...changes }, true);
    expect(trial.calls).toBe(calls);
  });
});

function pairs(...scores: number[]): Vote[] {
  return scores.map((each) => [each, each]);
}

describe('where score and verdict differ', () => {
  const judgeOf = (changes: Partial<JudgeCase>): JudgeCase => {
    const votes: Vote[] = [
      [1, 0.4],
      [0.4, 1],
      [1, 1],
    ];
    return { votes, panel: [1], threshold: 0.9, aggregation: 'median', weight: 1, required: false, ...changes };
  };
  const notesOf = async (trial: TrialCase) => {
    const { eval_results } = await trialOf(trial, false);
    const [{ details = '', metadata = {} } = {}] = eval_results;
    expect(Array.isArray(metadata.notes) && metadata.notes.every((note) => details.includes(String(note)))).toBe(true);
    return metadata.notes;
  };
  const failsTrial = (score: string, threshold: string) =>
    `It fails the trial, although the trial's score of ${score} meets the threshold of ${threshold}.`;

  test('the details and the metadata of the judge say so in one sentence', async () => {
    expect(await notesOf({ judges: [judgeOf({})], others: [], threshold: 0.8 })).toEqual([
      'The majority of the votes failed it, although its score of 1.00 meets its threshold of 0.90.',
    ]);
    expect(await notesOf({ judges: [judgeOf({ votes: pairs(0.7, 0.7, 0.7) })], others: [], threshold: 0.6 })).toEqual([
      failsTrial('0.70', '0.60'),
    ]);
  });

  test('nothing is said where they agree, or where the judge does not decide', async () => {
    expect(await notesOf({ judges: [judgeOf({ votes: pairs(1, 1, 1) })], others: [], threshold: 0.8 })).toEqual([]);
    expect(await notesOf({ judges: [judgeOf({ votes: pairs(0, 0, 0) })], others: [], threshold: 0.8 })).toEqual([]);
    const other = { passed: true, weight: 1, required: false };
    const weightless = judgeOf({ votes: pairs(0.5, 0.5, 0.5), weight: 0 });
    expect(await notesOf({ judges: [weightless], others: [other], threshold: 0.8 })).toEqual([]);
  });
});
