import type { ModelReply } from './model-caller.ts';

/** What models were asked and cost. A sum is null when a part of it is not known. */
export interface ModelFigures {
  model_calls: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

/** Adds up what the answers of models used and cost, those included that could not be read. */
export interface Bill {
  add(reply: ModelReply): void;
  /** How many requests were made, retries included: the ordinal of the next. */
  requests(): number;
  figures(): ModelFigures;
}

export function createBill(): Bill {
  const sum: ModelFigures = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  let requests = 0;
  const plus = (total: number | null, part: number | null | undefined) =>
    total === null || part === null || part === undefined ? null : total + part;
  return {
    add({ result, cost_usd, requests: made }) {
      requests += made;
      sum.model_calls += 1;
      sum.input_tokens = plus(sum.input_tokens, result.usage?.input_tokens);
      sum.output_tokens = plus(sum.output_tokens, result.usage?.output_tokens);
      sum.cost_usd = plus(sum.cost_usd, cost_usd);
    },
    requests: () => requests,
    figures: () => ({ ...sum }),
  };
}
