import type { AdapterConfig, AdapterTurnResult } from './adapter.ts';
import { AdapterError } from './adapter-error.ts';

/** The tool call that stands for a decision: its arguments are `{ answers }`. Programs and scripts answer with it, too. */
export const DECISION_TOOL = 'decide';

/** A turn that is the answer of a decision model. `answers` is what the model sent, in the form of `DecisionAnswer`. */
export function decisionTurn(
  answers: unknown,
  rest: Pick<AdapterTurnResult, 'usage' | 'raw_response' | 'model' | 'cost_usd'>,
): AdapterTurnResult {
  return {
    content: null,
    tool_calls: [{ id: 'decision_1', name: DECISION_TOOL, arguments: { answers } }],
    finish_reason: 'tool_calls',
    ...rest,
  };
}

/** Throws if a decision is asked of an adapter whose provider has no decision models. */
export function refuseDecision(provider: string, { decision }: Pick<AdapterConfig, 'decision'>): void {
  if (decision === undefined) return;
  const advice = 'remove "mode: decide", or choose an adapter of type openai, ai-sdk or llama';
  throw new AdapterError('bad_request', `The adapter ${provider} has no decision models: ${advice}.`);
}
