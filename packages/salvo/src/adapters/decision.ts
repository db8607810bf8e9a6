import type { AdapterConfig, AdapterTurnResult } from './adapter.ts';
import { AdapterError } from './adapter-error.ts';

/** A typed question to a decision model, which answers with probabilities instead of text. */
export type DecisionQuestion =
  /** How likely each of these levels is, from the lowest to the highest. */
  | { type: 'score'; name: string; instructions: string; levels: readonly DecisionLevel[] }
  /** How likely it is that a statement is true. */
  | { type: 'predicate'; name: string; instructions: string };

export interface DecisionLevel {
  /** Unique in its question: answers name it. */
  label: string;
  description: string;
}

/** One answer, as an adapter passes it on. Whoever asked checks it: a server may have sent anything. */
export type DecisionAnswer =
  | { type: 'score'; name: string; probabilities: { label: string; probability: number }[] }
  | { type: 'predicate'; name: string; probability: number }
  | { type: 'refusal'; name: string };

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
  throw new AdapterError('bad_request', noDecisionModels(provider));
}

export function noDecisionModels(provider: string): string {
  return `The adapter ${provider} has no decision models: remove "mode: decide", or choose an adapter of type openai, ai-sdk or llama.`;
}
