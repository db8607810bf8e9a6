import type { ModelReply } from '../../../adapters/model-caller.ts';
import type { BlueMetadata } from '../blue-team.ts';

type Figures = Pick<BlueMetadata, 'model_calls' | 'input_tokens' | 'output_tokens' | 'cost_usd'>;

/** Adds up what calls of models used and cost. Unknown when one part is. */
export interface Bill {
  add(reply: ModelReply): void;
  figures(): Figures;
}

export function createBill(): Bill {
  const sum: Figures = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  const plus = (total: number | null, part: number | null | undefined) =>
    total === null || part === null || part === undefined ? null : total + part;
  return {
    add({ result, cost_usd }) {
      sum.model_calls += 1;
      sum.input_tokens = plus(sum.input_tokens, result.usage?.input_tokens);
      sum.output_tokens = plus(sum.output_tokens, result.usage?.output_tokens);
      sum.cost_usd = plus(sum.cost_usd, cost_usd);
    },
    figures: () => ({ ...sum }),
  };
}
