import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { AdapterConfig, AdapterTurnResult } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { agentProviderError } from '../agent/thrown-error.ts';
import type { GivenToAgent, Observation, ObservedTrial } from './observation.ts';

type RunTurn = (given: GivenToAgent) => Promise<AdapterTurnResult>;

/** Watches turns of agents. */
export interface Watcher {
  /** Runs a turn, and adds to its answer what was recorded. */
  watch(config: AdapterConfig, run: RunTurn): Promise<AdapterTurnResult>;
  close(): Promise<void>;
}

/** Ends with what the agent did: an answer, or an error. */
export async function outcomeOf(run: () => Promise<AdapterTurnResult>): Promise<TurnOutcome> {
  try {
    return { result: await run() };
  } catch (error) {
    return { error };
  }
}

export type TurnOutcome = { result: AdapterTurnResult; error?: undefined } | { result?: undefined; error: unknown };

/** The answer with what was recorded; or the error, after the record was handed over. */
export function withObservation(
  config: AdapterConfig,
  outcome: TurnOutcome,
  observation: Observation,
): AdapterTurnResult {
  const outage = saysItself(outcome.error) ? null : observation.outage;
  if (outage !== null || outcome.result === undefined) {
    config.observed?.onFailedTurn(observation);
    if (outage === null) throw outcome.error;
    const answer = outcome.result?.content ?? '';
    if (answer !== '') config.log?.(`[The agent answered without its model: ${answer}]\n`);
    const agentStack = outcome.error instanceof AdapterError ? outcome.error.agentStack : undefined;
    throw agentProviderError({ callee: 'The agent', trouble: outage }, { agentStack });
  }
  return { ...outcome.result, ...figures(outcome.result, observation), observed: observation };
}

/** How the steps of a turn are joined: by the answer of the agent, with ids that no other turn has. */
export function joinOptions({ conversation }: AdapterConfig, result: AdapterTurnResult | undefined) {
  return {
    final: result?.trace?.final_content ?? result?.content ?? null,
    idPrefix: `${conversation?.request ?? 0}_`,
  };
}

/** Errors that say by themselves why there is no answer. */
const OWN_REASON: ReadonlySet<AdapterError['kind']> = new Set([
  'aborted',
  'timeout',
  'missing_dependency',
  'overloaded',
]);

function saysItself(error: unknown): boolean {
  return error instanceof AdapterError ? OWN_REASON.has(error.kind) : error instanceof SalvoError;
}

/** What was recorded comes before what the agent says about its tokens and its model. */
function figures(result: AdapterTurnResult, { joined, usage }: Observation): Partial<AdapterTurnResult> {
  const model = joined.steps.findLast((step) => step.model !== null && step.error === null)?.model;
  if (joined.steps.length === 0) return {};
  const { trace } = result;
  if (!trace) return { usage, model: result.model ?? model ?? undefined };
  const tokens = { input_tokens: usage?.input_tokens ?? null, output_tokens: usage?.output_tokens ?? null };
  return { usage, trace: { ...trace, ...tokens, model: trace.model ?? model ?? undefined } };
}

/** For an agent that is called outside of a trial. */
const NO_TRIAL: ObservedTrial = {
  admit: async () => ({ answered: async () => null, maybeCharged: () => {}, notCharged: () => {} }),
  price: async () => null,
  onFailedTurn: () => {},
};

export function trialOf({ observed }: AdapterConfig): ObservedTrial {
  return observed ?? NO_TRIAL;
}
