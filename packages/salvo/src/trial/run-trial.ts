import { randomUUID } from 'node:crypto';
import type { Adapter, AdapterTurnResult, TrialPlaces, Usage } from '../adapters/adapter.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import { startWorkClock, type WorkClock } from '../adapters/call/work-clock.ts';
import { createFunctionAdapter } from '../adapters/lazy-adapter.ts';
import type { ObservedTrial } from '../adapters/observe/observation.ts';
import { registeredAdapters } from '../adapters/registered-adapters.ts';
import { BudgetError, type CallBudget } from '../models/budget/budget.ts';
import { usageOf } from '../models/budget/call-cost.ts';
import type { Pricing } from '../models/budget/prices.ts';
import { whyCostUnknown } from '../models/budget/unknown-prices.ts';
import type { Limiter } from '../models/call/limiter.ts';
import type { OutageOf } from '../models/call/outages.ts';
import type { RetryPolicy } from '../models/call/retry-policy.ts';
import { sendRequest } from '../models/call/send-with-retries.ts';
import type { ScenarioCases } from '../scenario/cases/scenario-cases.ts';
import type { AgentOfScenario, TrialContext } from '../scenario/code/scenario-definition.ts';
import { AGENT, type ScenarioFunctions } from '../scenario/code/scenario-functions.ts';
import { DEFAULT_TIMEOUT_SECONDS, type Scenario } from '../scenario/schema/scenario-schema.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import { once } from '../text/memo.ts';
import type { Trace } from '../trace/trace.ts';
import { runAgentLoop } from './agent-loop.ts';
import type { ScenarioTools } from './tools/scenario-tools.ts';
import { TrialStopped } from './trial-result.ts';
import type { UserServices } from './user/open-user.ts';

/** The scenario of one case, ready for its trials. */
export interface PreparedCase {
  scenario: Scenario;
  /** Absolute. */
  file: string;
  /** Relative to the project root, with forward slashes. */
  relativeFile: string;
  hash: string;
  adapterName: string;
  model: string;
  /** The model is `default_model` of the project: nobody said that the agent calls it. */
  isDefaultModel?: boolean | undefined;
  adapter: Adapter;
  limiter: Limiter;
  tools: ScenarioTools;
  /** Variables of the project, for services and commands. */
  env?: Record<string, string | undefined> | undefined;
  /** Of a scenario in code. */
  functions?: ScenarioFunctions | undefined;
}

/** A scenario with everything that its trials share, prepared once. */
export interface PreparedScenario extends PreparedCase {
  cases: ScenarioCases;
  /** Made for each trial, so that ten thousand rows take no more memory than their data. */
  caseOf(index: number): PreparedCase;
}

export interface TrialServices {
  pricing: Pricing;
  retry: RetryPolicy;
  /** Instead of the scenario's `retries`. */
  maxRetries?: number | undefined;
  outageOf: OutageOf;
  /** For simulated users that a model plays. */
  user?: UserServices | undefined;
  seed: number;
  /** Aborted: no further trial starts. One that has no answer yet, and waits for its turn or a retry, is given up. */
  stop?: AbortSignal | undefined;
  /** Aborted if the user does not wait for trials under way. */
  abort?: AbortSignal | undefined;
  onRetry: () => void;
}

/** Whole agents: each chooses its own model, whatever the project calls by default. */
const CHOOSES_ITS_MODEL: ReadonlySet<string> = new Set(['exec', 'http', 'a2a', 'ag-ui', 'module', 'function']);

/** Runs the agent once, within its time and budget. */
export async function runTrial(options: {
  prepared: PreparedCase;
  runId: string;
  /** Null in a scenario without data. */
  caseName: string | null;
  trialNumber: number;
  /** What functions of the scenario receive; what hooks made is in it. */
  context: Omit<TrialContext, 'signal'>;
  environment?: TrialPlaces | undefined;
  budget: CallBudget;
  services: TrialServices;
}): Promise<Trace> {
  const { prepared, caseName, trialNumber, budget, services } = options;
  const { scenario, model, functions } = prepared;
  const adapter =
    functions?.agent && prepared.adapterName === AGENT
      ? boundAgent(functions.agent, options.context)
      : prepared.adapter;
  using clock = trialClock(scenario.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS, services.abort);
  const { seed, faultSeed } = seedsOf(scenario, { caseName, trialNumber, seed: services.seed });
  const backoff = once(() => seededRandom(seed, 'backoff', trialNumber));
  // An adapter that a plugin registers could change what the trace and other trials have.
  const isForeign = registeredAdapters.has(prepared.adapterName);
  const ownRequest = <T>(request: T): T => (isForeign ? structuredClone(request) : request);
  const costOf = createCostOf(prepared, { adapter, pricing: services.pricing });
  /** How long the model took when its answers were recorded. */
  let recordedSeconds = 0;
  const retry = { ...services.retry, maxRetries: services.maxRetries ?? scenario.retries ?? services.retry.maxRetries };
  const outage = services.outageOf(prepared.adapterName, model);
  const conversationId = randomUUID();
  // The requests of such an agent are limited and paid for one by one.
  const isPaidByCall = adapter.observes === 'model';
  const observed = adapter.observes && (await observedTrialOf(prepared, { budget, pricing: services.pricing, clock }));
  const kept = scenario.state && new (await import('./tools/kept-state.ts')).KeptState(scenario.state);
  const own = { state: kept ?? { document: {} }, variables: options.environment?.variables, faultSeed };
  const trial = { caseName, trialNumber, seed, budget, clock };
  const user =
    scenario.user && (await import('./user/open-user.ts')).openUser(scenario, trial, services.user, asStopped);
  // Awaited here, because the clock ends with this function.
  const trace = await runAgentLoop({
    scenario,
    caseName,
    scenarioHash: prepared.hash,
    model,
    adapter,
    tools: prepared.tools,
    context: { ...options.context, ...own },
    user,
    environment: options.environment,
    readFiles: async (files) => (await import('./read-files.ts')).readFiles(files, prepared),
    seed,
    trialNumber,
    runId: options.runId,
    conversationId,
    signal: clock.signal,
    throwIfOver: () => clock.throwIfOver(),
    // The time of the agent, without waits for a free place.
    clock: { now: Date.now, monotonic: () => (clock.workedSeconds() + recordedSeconds) * 1000 },
    send: async ({ messages, config: given, onRetry, onUnknownCost, onFailedTurn }) => {
      const config = observed ? { ...given, observed: observed(onFailedTurn) } : given;
      // After the first answer a trial is worth its money, and is finished.
      const stop = (config.conversation?.request ?? 0) === 0 ? services.stop : undefined;
      try {
        const sent = await sendRequest({
          adapter,
          messages: ownRequest(messages),
          tools: ownRequest(prepared.tools.definitions),
          config,
          pricing: services.pricing,
          costOf,
          budget: isPaidByCall ? undefined : budget,
          onUnknownCost,
          limiter: isPaidByCall ? undefined : prepared.limiter,
          outage,
          clock,
          stop,
          retry,
          onRetry: (record) => {
            services.onRetry();
            onRetry(record);
          },
          random: () => backoff()(),
        });
        // The answer came too late and is dropped; what it cost is not.
        if (clock.secondsLeft() === 0 && sent.costUsd !== 0) onUnknownCost();
        clock.throwIfOver();
        recordedSeconds += sent.result.latency_seconds ?? 0;
        if (isPaidByCall && sent.result.observed?.joined.steps.length === 0) await payUnobserved(budget, sent.costUsd);
        return sent;
      } catch (error) {
        const isGivenUp = stop?.aborted && error instanceof AdapterError && error.kind === 'aborted';
        throw isGivenUp ? new TrialStopped('interrupted', 'interrupted') : asStopped(error);
      }
    },
  }).finally(() => adapter.endConversation?.(conversationId));
  const player = { scenario, tools: prepared.tools, context: options.context, abort: services.abort };
  return kept ? (await import('./tools/reported-calls.ts')).withReported(kept.addTo(trace), player) : trace;
}

/**
 * A different seed for each scenario and case. Otherwise the same trial number would fail in all of them. With faults in
 * several doses it is that of the scenario without them, so that all are compared on equal terms.
 */
function seedsOf(
  { name, variant }: Scenario,
  { caseName, trialNumber, seed }: { caseName: string | null; trialNumber: number; seed: number },
) {
  const parts = [seed, variant?.of ?? name, ...(caseName === null ? [] : [caseName])];
  return { seed: Math.floor(seededRandom(...parts)() * 2 ** 32), faultSeed: [...parts, trialNumber] };
}

function asStopped(error: unknown): unknown {
  return error instanceof BudgetError ? new TrialStopped('budget', error.message) : error;
}

/** What an answer of the agent costs: as it says itself, by its steps, or by its tokens. */
function createCostOf(
  { model, isDefaultModel }: PreparedCase,
  { adapter, pricing }: { adapter: Adapter; pricing: Pricing },
) {
  const provider = adapter.providerName();
  const assumedModel = isDefaultModel && CHOOSES_ITS_MODEL.has(provider) ? null : model;
  const costOfSteps = async (result: AdapterTurnResult, turn: { model: string | null; usage: Usage | null }) => {
    const { priceSteps } = await import('./price-steps.ts');
    return priceSteps(result, { ...turn, priceOf: (usage, by) => pricing.priceTurn({ model: by, provider, usage }) });
  };
  return async (result: AdapterTurnResult) => {
    if (result.observed && result.observed.joined.steps.length > 0) return { usd: result.observed.costUsd };
    const answeredBy = result.trace?.model ?? result.model;
    const called = adapter.isOneModelCall ? model : (answeredBy ?? assumedModel);
    const turn = { model: called, usage: usageOf(result) };
    const hasSteps = result.trace ?? result.messages ?? result.step;
    let usd = result.trace?.cost_usd ?? result.cost_usd ?? (hasSteps ? await costOfSteps(result, turn) : null);
    if (usd === null && called !== null)
      usd = await pricing.priceTurn({ ...turn, model: called, answeredBy, provider });
    return usd === null ? { usd, whyUnknown: whyCostUnknown(turn) } : { usd };
  };
}

/** Loaded only for agents that are observed. */
async function observedTrialOf(
  { limiter }: PreparedCase,
  services: { budget: CallBudget; pricing: Pricing; clock: WorkClock },
) {
  const { observedTrial } = await import('../models/call/observed-trial.ts');
  return (onFailedTurn: ObservedTrial['onFailedTurn']) => observedTrial({ ...services, limiter }, onFailedTurn);
}

/** An answer of an agent whose requests went past its recorder. It is there already, so that it is never refused. */
async function payUnobserved(budget: CallBudget, usd: number | null): Promise<void> {
  const call = async () => ({ kind: 'unobserved', place: 0, estimateUsd: 0, mostUsd: 0 });
  await budget.admit(call).then(
    (admitted) => admitted.paid(usd),
    () => undefined,
  );
}

/**
 * A function that also receives what belongs to the trial: a copy of the row, and what hooks made. One that returns its row, or a part of it,
 * imports a conversation: nothing is executed, so no mock is bypassed.
 */
function boundAgent(agent: AgentOfScenario, { row, hooks }: Omit<TrialContext, 'signal'>): Adapter {
  let imported = false;
  const adapter = createFunctionAdapter(async (task) => {
    const own = structuredClone(row);
    const reply = await agent({ ...task, row: own, hooks });
    imported =
      isPartOf(own, reply) || Object.values(Object(reply)).some((part) => Array.isArray(part) && isPartOf(own, part));
    return reply;
  });
  const sendTurn: Adapter['sendTurn'] = async (...turn) => ({ ...(await adapter.sendTurn(...turn)), imported });
  return { ...adapter, sendTurn };
}

/** Whether a list or an object is the value itself, or anywhere in it. */
function isPartOf(value: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null || typeof value !== 'object' || value === null) return false;
  return value === part || Object.values(value).some((inner) => isPartOf(inner, part));
}

/** The time limit of a trial. It does not run while the trial waits for a free place of its adapter. */
function trialClock(seconds: number, abort: AbortSignal | undefined): WorkClock {
  return startWorkClock({
    seconds,
    timeoutError: () => new TrialStopped('timeout', `no end after ${seconds} s (timeout_seconds)`),
    abort,
    abortError: () => new TrialStopped('interrupted', 'interrupted'),
  });
}
