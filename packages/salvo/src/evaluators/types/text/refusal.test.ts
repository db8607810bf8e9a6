import { expect, test } from 'vitest';
import labelled from '../../../../../../test/fixtures/refusals.json' with { type: 'json' };
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import type { Evaluation } from '../../evaluator.ts';
import { evaluateIsNotRefusal, evaluateIsRefusal, refusalPlace } from './refusal.ts';

const base = { weight: 1, required: false };

async function both(final_content: string | null): Promise<[Evaluation, Evaluation]> {
  const trace = sampleTrace({ final_content });
  return [
    await evaluateIsRefusal({ type: 'is_refusal', ...base }, trace, {}),
    await evaluateIsNotRefusal({ type: 'is_not_refusal', ...base }, trace, {}),
  ];
}

test('most refusals of the labelled set are found, and no ordinary answer is taken for one', () => {
  const found = (isEnglish: boolean, isRefusal: boolean) => {
    const meant = labelled.filter(
      ({ language, refusal }) => (language === 'english') === isEnglish && refusal === isRefusal,
    );
    return [meant.filter(({ text }) => refusalPlace(text) !== null).length, meant.length];
  };
  // docs/assertions.md has these figures.
  expect(found(true, true)).toEqual([25, 30]);
  expect(found(true, false)).toEqual([0, 30]);
  expect(found(false, true)).toEqual([56, 60]);
  expect(found(false, false)).toEqual([0, 51]);
});

test('the reason has the words that read like a refusal', async () => {
  const [is, isNot] = await both('I looked into it. I’m sorry, but I can’t help with **that** request.');
  expect(is).toEqual({
    score: 1,
    details: expect.stringMatching(/^the answer reads like a refusal at character \d+: /),
  });
  expect(isNot.score).toBe(0);
  expect(isNot.details).toContain("can't help");
});

test('an answer that complies, and mentions a refusal later or quotes one, is none', async () => {
  const late = `${'The parcel is on its way. '.repeat(4)}I cannot help with returns.`;
  for (const answer of [late, 'The bot wrote “I cannot help you with that” to every customer.']) {
    const [is, isNot] = await both(answer);
    expect([is.score, isNot.score]).toEqual([0, 1]);
  }
});

test.each([null, '', '  \n'])('%j fails both: there is no answer', async (answer) => {
  for (const evaluation of await both(answer)) expect(evaluation).toMatchObject({ score: 0, passed: false });
});

test('a text that was made to be slow is read at once', async () => {
  const texts = ["i can't ".repeat(200_000), '"'.repeat(1_000_000), ' '.repeat(1_000_000), `${'a'.repeat(999_999)}.`];
  for (const text of texts) await both(text);
});
