import type { ModelReply } from '../../../adapters/model-caller.ts';
import type { RedMetadata } from '../red-team.ts';

export type Figures = Pick<RedMetadata, 'model_calls' | 'input_tokens' | 'output_tokens' | 'cost_usd'>;

/** What the answers of a game cost, those included that could not be read. A sum is null when a part is not known. */
export interface Bill {
  add(reply: ModelReply): void;
  /** How many requests were made, retries included: the ordinal of the next. */
  requests(): number;
  figures(): Figures;
}

export function createBill(): Bill {
  const replies: ModelReply[] = [];
  const sum = (part: (reply: ModelReply) => number | null | undefined) =>
    replies.reduce<number | null>((total, reply) => {
      const more = part(reply) ?? null;
      return total === null || more === null ? null : total + more;
    }, 0);
  return {
    add: (reply) => void replies.push(reply),
    requests: () => replies.reduce((total, { requests }) => total + requests, 0),
    figures: () => ({
      model_calls: replies.length,
      input_tokens: sum(({ result }) => result.usage?.input_tokens),
      output_tokens: sum(({ result }) => result.usage?.output_tokens),
      cost_usd: sum(({ cost_usd }) => cost_usd),
    }),
  };
}
