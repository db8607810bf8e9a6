import type { EvalResult } from '../evaluators/eval-result.ts';
import { tellingFailures } from '../evaluators/eval-result.ts';
import { evaluateTrace, toEvalResult } from '../evaluators/evaluate-trace.ts';
import type { EvaluationContext, PlannedCall, PlayedCalls } from '../evaluators/evaluator.ts';
import { scoreTrial, type TrialScore, withTrialNotes } from '../evaluators/scorer.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { faultLabel } from '../scenario/schema/tool-schema.ts';
import { type Cost, sumCosts } from '../stats/cost.ts';
import type { ErrorCode } from '../text/errors/error-codes.ts';
import { contentHash } from '../text/json/canonical-json.ts';
import {
  agentCost,
  agentCostFields,
  atLeastSchema,
  judgeCost,
  judgeCostFields,
  userCostFields,
  userCostOfTrace,
} from '../trace/cost-fields.ts';
import { toolsKnown } from '../trace/tools-seen.ts';
import type { Trace } from '../trace/trace.ts';
import type { ScenarioTools } from './tools/scenario-tools.ts';
import type { TrialResult } from './trial-result.ts';

/** The result of a trial depends only on its trace and its scenario, so it can be computed again at any time. */
export async function evaluateTrial(options: {
  trace: Trace;
  traceId: string | null;
  /** Nothing is checked. */
  recordOnly?: boolean;
  context: EvaluationContext & { scenario: Scenario; trialNumber: number };
  /** For assertions on the state. */
  tools?: ScenarioTools | undefined;
  /** Not set in a scenario without data. */
  ofCase?: { index: number; name: string | null } | undefined;
}): Promise<TrialResult> {
  const { trace, context } = options;
  const { scenario } = context;
  const known = toolsKnown(trace, scenario);
  const facts = {
    case_index: options.ofCase?.index ?? 0,
    case: options.ofCase?.name ?? null,
    trial_number: context.trialNumber,
    latency_seconds: trace.latency_seconds,
    ...agentCostFields(agentCost(trace)),
    judge_cost_usd: 0,
    ...userFacts(trace),
    retries: trace.retries.length,
    answer_hash: answerHash(trace, context.project),
    tools_seen: known.seen,
    tools_declared: known.declared,
    ...(trace.observed?.alone ? { observed_alone: true } : {}),
    answered_by: trace.asked_model === undefined ? null : trace.model,
    trace_id: options.traceId,
    ...faultFacts(trace),
  };
  const isGiven = isOnlyGiven(trace, scenario);
  if (isGiven && !trace.imported?.given)
    return { ...facts, ...notScored(trace.error), error_code: trace.error_code ?? null };
  if (!isGiven && trace.finish_reason === 'unmocked_call') return { ...facts, ...failedByUnmockedCall(trace) };
  if (!isGiven && trace.error_code === 'AGENT_CRASHED') return { ...facts, ...crashed(trace) };
  // A provider failure or a timeout is no failure of the agent.
  if (!isGiven && trace.error !== null)
    return { ...facts, ...notScored(trace.error), error_code: trace.error_code ?? null };
  if (options.recordOnly) return { ...facts, ...notScored(null), error_code: null };
  const bypassed = bypassedMocks(trace, scenario);
  if (bypassed !== null) return { ...facts, ...notScored(bypassed), error_code: 'MOCK_BYPASSED' satisfies ErrorCode };
  const playCalls = callPlayer(options);
  const ownResults = await evaluateTrace({
    scenario,
    trace,
    context: { ...context, playCalls, traceId: options.traceId },
  });
  const evalResults = trace.imported?.given ? await withGiven(ownResults, trace) : ownResults;
  const trialScore = scoreTrial(evalResults, scenario.threshold);
  return {
    ...facts,
    ...trialScore,
    eval_results: withTrialNotes(evalResults, trialScore, scenario.threshold),
    ...judgeCostFields(costOfJudges(evalResults)),
    ...unscoredReason(trialScore, evalResults),
  };
}

/** Whether nothing is judged: the outcome is the one that was given with the conversation, whatever happened in it. */
function isOnlyGiven({ imported }: Trace, { assertions }: Scenario): boolean {
  return imported !== undefined && assertions.length > 0 && assertions.every(({ type }) => type === 'given');
}

/** The outcome that was given with a conversation is kept beside what Salvo says about it. */
async function withGiven(own: EvalResult[], trace: Trace): Promise<EvalResult[]> {
  if (own.some(({ assertion_type }) => assertion_type === 'given')) return own;
  const { givenEvaluation } = await import('../evaluators/types/given.ts');
  return [...own, toEvalResult({ type: 'given', weight: 0, required: false }, 'given', givenEvaluation(trace))];
}

/** Undefined if the scenario has no state. */
function callPlayer({ context, tools }: Pick<Parameters<typeof evaluateTrial>[0], 'context' | 'tools'>) {
  const { scenario, signal, trialContext } = context;
  if (!tools || scenario.state === undefined) return undefined;
  const { runId = '', case: name = '', row = {} } = trialContext ?? {};
  return async (calls: readonly PlannedCall[]): Promise<PlayedCalls> => {
    const { playExpected } = await import('./tools/play-calls.ts');
    return playExpected(calls, { scenario, tools, context: { runId, case: name, row }, abort: signal });
  };
}

/** By the label of the fault, which says whether the tool did its work before its answer was lost. */
function faultFacts({ tool_calls_made }: Trace): Pick<TrialResult, 'faults'> {
  const faults: Record<string, number> = {};
  for (const { fault, is_error } of tool_calls_made) {
    if (!fault) continue;
    const label = faultLabel(fault.kind, is_error && fault.tool !== 'not_called' && fault.kind !== 'slow');
    faults[label] = (faults[label] ?? 0) + 1;
  }
  return Object.keys(faults).length === 0 ? {} : { faults };
}

function userFacts(trace: Trace): Partial<TrialResult> {
  const { simulated_user: user } = trace;
  // What a script says needs no check.
  if (user?.model === undefined) return {};
  const { messages, broke_role } = user;
  return {
    ...userCostFields(userCostOfTrace(trace)),
    simulated_user: { messages, broke_role: broke_role?.kind ?? null },
  };
}

/** The result with further assertions, which a test demanded after the trial was evaluated. */
export function withFurtherResults(
  result: TrialResult,
  { further, threshold }: { further: readonly EvalResult[]; threshold: number | undefined },
): TrialResult {
  const evalResults = [...result.eval_results, ...further];
  const trialScore = scoreTrial(evalResults, threshold);
  return {
    ...result,
    ...trialScore,
    eval_results: evalResults,
    ...judgeCostFields(sumCosts([judgeCost(result), costOfJudges(further)])),
    ...unscoredReason(trialScore, evalResults),
  };
}

function notScored(reason: string | null) {
  return { status: 'unscored' as const, score: null, passed: false, eval_results: [], error_message: reason };
}

/** The agent's own code threw: the trial counts as failed, with a score of 0. */
function crashed({ error, error_code, error_stack }: Trace) {
  return {
    status: 'crashed' as const,
    score: 0,
    passed: false,
    eval_results: [],
    error_message: error ?? 'the agent crashed',
    error_code: error_code ?? null,
    error_stack: error_stack ?? null,
  };
}

/**
 * The same for two trials in which the agent said and did the same. Null if it gave no answer, or if no text may be
 * stored: a short answer could be guessed from its hash.
 */
function answerHash(trace: Trace, project: EvaluationContext['project']): string | null {
  if (trace.error !== null || project?.config.recording.mode === 'metadata_only') return null;
  const said = trace.messages.flatMap((message) => (message.role === 'assistant' ? [message.content] : []));
  const called = trace.tool_calls_made.map(({ name, arguments: args, turn }) => [turn, name, args]);
  const { workspace } = trace;
  return contentHash([trace.final_content, said, called, ...(workspace ? [workspace.files] : [])]).slice(0, 32);
}

/** Reported as the failure of an assertion, because `on_unmocked: fail` is one in effect. */
function failedByUnmockedCall(trace: Trace) {
  const details = trace.error ?? 'a call that no mock answers';
  const failure: EvalResult = {
    assertion_type: 'on_unmocked',
    assertion_id: 'on_unmocked',
    score: 0,
    passed: false,
    weight: 1,
    required: false,
    status: 'scored',
    details,
    metadata: {},
  };
  return {
    status: 'failed' as const,
    score: 0,
    passed: false,
    eval_results: [failure],
    error_message: details,
    error_code: trace.error_code ?? null,
  };
}

/** Why the assertions could not score the trial; null for both if they could. */
function unscoredReason(
  { status: trial }: TrialScore,
  evalResults: EvalResult[],
): { error_message: string | null; error_code: ErrorCode | null } {
  if (trial !== 'unscored') return { error_message: null, error_code: null };
  const [unscored] = tellingFailures(evalResults, trial);
  if (!unscored) {
    const what = evalResults.length === 0 ? 'the scenario has no assertions' : 'every assertion has the weight 0';
    return { error_message: `${what}, so nothing was checked`, error_code: 'NO_ASSERTIONS' };
  }
  const { assertion_id, assertion_type, details, metadata } = unscored;
  const error = typeof metadata.error === 'string' ? ` (${metadata.error})` : '';
  const notApplied = metadata.command_not_run === true ? 'COMMAND_NOT_RUN' : 'ASSERTION_UNSCORED';
  const ofAssertion = metadata.tools_unseen === true ? 'TOOLS_UNKNOWN' : notApplied;
  const code = assertion_type === 'judge' || metadata.not_recorded === true ? codeOfJudge(metadata) : ofAssertion;
  return { error_message: `${assertion_id}: ${details}${error}`, error_code: code };
}

function codeOfJudge({ not_recorded, cascade }: EvalResult['metadata']): ErrorCode {
  if (not_recorded === true) return 'ADAPTER_NOT_RECORDED';
  const waits = typeof cascade === 'object' && cascade !== null && 'people' in cascade && cascade.people === 'waiting';
  return waits ? 'JUDGE_WAITS_FOR_PEOPLE' : 'JUDGE_UNSCORED';
}

function costOfJudges(evalResults: readonly EvalResult[]): Cost {
  return sumCosts(
    evalResults.flatMap(({ metadata: { judge_cost_usd: usd, judge_cost_at_least } }) => {
      if (usd === undefined) return [];
      return [
        { usd: typeof usd === 'number' ? usd : null, at_least: atLeastSchema.safeParse(judge_cost_at_least).data },
      ];
    }),
  );
}

/** Agents outside of this process: they have no `callTool`, and return their calls to Salvo instead. */
const REMOTE: ReadonlySet<string> = new Set(['exec', 'http', 'ag-ui']);

/**
 * Why a trial says nothing: the agent executed its own tools in place of the scenario's mocks, and the real ones may have
 * done something. Null if it did not, or if the scenario allows it.
 */
function bypassedMocks(trace: Trace, { own_tools }: Pick<Scenario, 'own_tools'>): string | null {
  const { agree, difference } = trace.state?.reported ?? {};
  if (own_tools === 'allow' || agree === 'all') return null;
  const names = [...new Set(trace.tool_calls_made.filter((call) => call.bypassed_mock).map(({ name }) => name))];
  const [first] = names;
  if (first === undefined) return null;
  const tools = names.map((name) => `"${name}"`).join(', ');
  return `the scenario mocks ${tools}, but the agent executed ${names.length === 1 ? 'a tool' : 'tools'} of its own by that name, which may have had real effects. ${difference === undefined ? '' : `Played into a fresh state, they do not agree with the conversation: ${difference}. `}${howToUseMock(trace.provider, first)} To allow it, add to the scenario: own_tools: allow`;
}

function howToUseMock(provider: string, tool: string): string {
  if (provider === 'a2a') return 'An agent behind A2A cannot use mocks: the protocol has no tool calls.';
  return REMOTE.has(provider)
    ? 'To use the mock, return the call to Salvo as "tool_calls" of a turn, and its result comes with the next request.'
    : `To use the mock, let the agent's tool call the mock: execute: (args) => callTool('${tool}', args).`;
}
