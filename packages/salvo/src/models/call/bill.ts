import { type AtLeast, createCostSum, UNKNOWN_CALL } from '../../stats/cost.ts';
import { createRunningSum } from '../../stats/sum-or-unknown.ts';
import { agentCostFields } from '../../trace/cost-fields.ts';
import type { ModelReply } from './model-caller.ts';

/** How often models were asked, and what it cost. A sum is null when a part of it is unknown. */
export interface ModelUsage {
  model_calls: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least?: AtLeast | undefined;
}

export type Bill = ReturnType<typeof createBill>;

/** Adds up what the answers of models cost, including answers that could not be read. */
export function createBill() {
  const [input, output, cost] = [createRunningSum(), createRunningSum(), createCostSum()];
  let calls = 0;
  let retries = 0;
  let requests = 0;
  let latency = 0;
  return {
    add(reply: ModelReply): void {
      calls += 1;
      requests += reply.requests;
      latency += reply.latencySeconds;
      input.add(reply.result.usage?.input_tokens);
      output.add(reply.result.usage?.output_tokens);
      cost.add(reply.costUsd === null ? UNKNOWN_CALL : { usd: reply.costUsd });
    },
    /** Counts a request that got no answer but may have been charged. */
    addUnknownCost(): void {
      calls += 1;
      for (const sum of [input, output]) sum.add(null);
      cost.add(UNKNOWN_CALL);
    },
    /** Counts a request that failed and was sent again. */
    addRetry(): void {
      retries += 1;
    },
    retries: () => retries,
    /** How many requests were made, retries included: the ordinal of the next one. */
    requests: () => requests,
    latencySeconds: () => latency,
    usage: (): ModelUsage => ({
      model_calls: calls,
      input_tokens: input.total(),
      output_tokens: output.total(),
      ...agentCostFields(cost.total()),
    }),
  };
}
