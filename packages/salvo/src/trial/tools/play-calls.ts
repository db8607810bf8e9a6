import { withWorkLimit } from '../../adapters/call/work-clock.ts';
import type { PlannedCall, PlayedCalls } from '../../evaluators/evaluator.ts';
import type { TrialContext } from '../../scenario/code/scenario-definition.ts';
import { NO_HOOKS } from '../../scenario/code/scenario-functions.ts';
import { DEFAULT_TIMEOUT_SECONDS, type Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import { remembered } from '../../text/memo.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import { KeptState } from './kept-state.ts';
import type { ScenarioTools } from './scenario-tools.ts';
import type { ToolOutcome } from './tool-source.ts';

/** What calls are played with: the scenario of a case, and its tools. */
export interface Player {
  scenario: Scenario;
  tools: ScenarioTools;
  /** What functions receive. What hooks made is gone. */
  context: Pick<TrialContext, 'runId' | 'case' | 'row'>;
  abort?: AbortSignal | undefined;
}

/** Answers calls with a fresh state. An outcome is null if the tool has nothing to do with the state. */
export async function playCalls(
  calls: readonly PlannedCall[],
  { scenario, tools, context, abort }: Player,
): Promise<{ outcomes: (ToolOutcome | null)[]; state: NonNullable<Trace['state']> }> {
  const state = new KeptState(scenario.state ?? {});
  const seconds = scenario.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  const timeoutError = () =>
    new SalvoError('CHECK_TIMEOUT', `The calls were not answered within ${seconds} s (timeout_seconds).`);
  const outcomes = await withWorkLimit({ seconds, timeoutError, abort }, async (signal) => {
    const trial = { ...context, scenario: scenario.name, trialNumber: 1, hooks: NO_HOOKS };
    const started = await tools.start({ ...trial, state, isPlayed: true });
    const answered: (ToolOutcome | null)[] = [];
    for (const [index, { name, arguments: args }] of calls.entries()) {
      const call = { id: `call_${index + 1}`, name, arguments: args };
      answered.push(started.usesState(name) ? await started.answer(call, signal) : null);
    }
    return answered;
  });
  return { outcomes, state: state.changes() };
}

/** By the tools and the state: trials of a case compare themselves with the same calls. */
const played = new WeakMap<ScenarioTools, WeakMap<object, Map<string, Promise<PlayedCalls>>>>();

/** The state that the calls of an assertion lead to. They are played once for all trials of a case. */
export function playExpected(calls: readonly PlannedCall[], player: Player): Promise<PlayedCalls> {
  const { tools, scenario, context } = player;
  const ofTools = remembered(played, tools, () => new WeakMap());
  const ofState = remembered(ofTools, scenario.state ?? tools, () => new Map());
  const key = JSON.stringify([context.case, calls]);
  const known = ofState.get(key) ?? play(calls, player);
  ofState.set(key, known);
  // An interrupted run must not leave its error to others.
  known.catch(() => ofState.delete(key));
  return known;
}

async function play(calls: readonly PlannedCall[], player: Player): Promise<PlayedCalls> {
  const { outcomes, state } = await playCalls(calls, player);
  const failures = outcomes.flatMap((outcome, index) => {
    if (!outcome?.is_error) return [];
    const isUnknown = outcome.problem?.kind === 'unknown_tool';
    return [{ call: index + 1, name: calls[index]?.name ?? '', message: outcome.content, isUnknown }];
  });
  return { changes: state.changes, failures };
}

const REDACTED = '[REDACTED';

export function hasRedactedArguments(call: ToolCallRecord): boolean {
  return isRedacted(canonicalJson(call.arguments));
}

/** Whether secrets were removed from a stored text. */
export function isRedacted(text: string): boolean {
  return text.includes(REDACTED);
}
