import { expect, test } from 'vitest';
import type { AdapterTurnResult } from '../adapters/adapter.ts';
import type { Step } from '../trace/message.ts';
import { priceSteps } from './price-steps.ts';

const prices = new Map([
  ['cheap', 1],
  ['dear', 100],
]);
const priceOf = async ({ input_tokens }: { input_tokens: number }, model: string) => {
  const price = prices.get(model);
  return price === undefined ? null : price * input_tokens;
};

function resultOf(...steps: (Step | undefined)[]): AdapterTurnResult & { messages: object[] } {
  const messages = steps.map((step) => ({
    ...{ role: 'assistant' as const, content: 'x', tool_calls: [] },
    ...(step ? { step } : {}),
  }));
  return { content: 'x', tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null, messages };
}
const step = (input_tokens: number, model?: string): Step => ({
  input_tokens,
  output_tokens: 0,
  ...(model ? { model } : {}),
});
const costsOf = ({ messages = [] }: AdapterTurnResult) =>
  messages.map((message) => (message.role === 'assistant' ? message.step?.cost_usd : null));

test('steps of different models are priced each, and their sum is the cost of the turn', async () => {
  const result = resultOf(step(2, 'cheap'), step(3, 'dear'));
  const usage = { input_tokens: 5, output_tokens: 0 };
  expect(await priceSteps(result, { model: 'dear', usage, priceOf })).toBe(302);
  expect(costsOf(result)).toEqual([2, 300]);
});

test('the sum is no cost of the turn if there was more than the steps, or if a step is unknown', async () => {
  const both = [step(2, 'cheap'), step(3, 'dear')];
  const more = { input_tokens: 6, output_tokens: 0 };
  expect(await priceSteps(resultOf(...both), { model: null, usage: more, priceOf })).toBeNull();
  expect(await priceSteps(resultOf(...both, undefined), { model: null, usage: more, priceOf })).toBeNull();
  expect(await priceSteps(resultOf(...both), { model: null, usage: null, priceOf })).toBeNull();
});

test('a step without a model has that of the turn, unless other steps name theirs', async () => {
  const alone = resultOf(step(2), step(3));
  await priceSteps(alone, { model: 'cheap', usage: null, priceOf });
  expect(costsOf(alone)).toEqual([2, 3]);
  const mixed = resultOf(step(2), step(3, 'dear'));
  await priceSteps(mixed, { model: 'dear', usage: null, priceOf });
  expect(costsOf(mixed)).toEqual([undefined, 300]);
});

test('a cost that the agent tells is kept, and an unknown price is never 0', async () => {
  const result = resultOf({ ...step(2, 'cheap'), cost_usd: 7 }, step(3, 'local'), undefined);
  await priceSteps(result, { model: null, usage: null, priceOf });
  expect(costsOf(result)).toEqual([7, undefined, undefined]);
});
