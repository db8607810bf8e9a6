import type { Pricing } from '../../models/budget/prices.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { mean } from '../../stats/mean.ts';
import { isUnreadable } from '../../text/errors/unreadable-error.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import { type AskedForUser, modelsOfUsers, type UserChoice, withUserModel } from '../../trial/user/resolve-user.ts';
import { plannedCases, plannedTrials } from '../record/planned-cases.ts';
import type { RunScenario, StoredTrial } from '../record/run-record.ts';
import { type Estimate, type ScenarioEstimate, totalEstimate } from './estimate.ts';
import { createJudgeForecast } from './judge-forecast.ts';

/** A scenario that would run with an adapter and a model. */
export interface EstimatedEntry {
  loaded: LoadedScenario;
  /** The cases that would run; null for all. */
  cases: readonly number[] | null;
  adapter: string;
  model: string;
  /** What plays the user, instead of what the scenario and salvo.yaml say. */
  user?: UserChoice | undefined;
}

/**
 * What N trials of scenarios would cost, without calling a model: the agents by the cost of stored trials, the judges by
 * the prompts for those trials. Before the first trial only the scenario itself is known.
 */
export async function estimateRun(options: {
  entries: readonly EstimatedEntry[];
  project: Project;
  /** Null: as the scenarios say. */
  trials: number | null;
  recordOnly?: boolean | undefined;
  pricing: Pricing;
  models: ModelCaller;
  /** Some traces of earlier trials of an entry. */
  earlierTraces: (entry: EstimatedEntry) => Promise<Trace[]>;
}): Promise<Estimate> {
  const { project, pricing, models } = options;
  const scenarios: ScenarioEstimate[] = [];
  for (const entry of options.entries) {
    const { loaded, cases, adapter, model } = entry;
    const { scenario, relativeFile } = loaded;
    const trials = plannedTrials(plannedCases(scenario, { options: { trials: options.trials }, chosen: cases }));
    const provider = models.providerName(adapter);
    const traces = await options.earlierTraces(entry);
    const forecast = createJudgeForecast({ loaded, project, pricing, judgeServices: { models } });
    const judged = traces.length > 0 ? traces : [traceFrom({ response: '' })];
    if (!options.recordOnly) for (const trace of judged) await forecast.add(trace, { share: trials / judged.length });
    const perTrial = await meanCost(traces, (trace) => agentCost(trace, { model, provider, pricing }));
    scenarios.push({
      name: scenario.name,
      file: relativeFile,
      trials,
      agent: { adapter, model, runs: trials, cost_usd: perTrial === null ? null : perTrial * trials },
      ...(await userEstimate(entry, { project, trials, traces, pricing, models })),
      judges: forecast.judges(),
      traces: traces.length,
    });
  }
  return totalEstimate(scenarios);
}

/** What the model that plays the user would cost, by the users of stored trials. */
async function userEstimate(
  { loaded, user: chosen }: EstimatedEntry,
  options: { project: Project; trials: number; traces: readonly Trace[]; pricing: Pricing; models: ModelCaller },
): Promise<Pick<ScenarioEstimate, 'user'>> {
  const { project, trials, traces, pricing, models } = options;
  const scenario = withUserModel(loaded.scenario, project.config, chosen);
  const { user, data } = scenario;
  // Several, if each case has a user of its own.
  const played = modelsOfUsers({ user: user && { ...user, check: true }, data });
  const [first, ...others] = played;
  if (!first || !user) return {};
  const checking = typeof user.check === 'object';
  const provider = models.providerName(first.adapter);
  const known = traces.flatMap(({ simulated_user }) => simulated_user ?? []);
  const perTrial = await meanCost(known, async ({ model: by = '', cost_usd, input_tokens, output_tokens }) => {
    if (played.some(({ model }) => model === by)) return cost_usd;
    const spent = { model: by, cost_usd, input_tokens, output_tokens };
    return others.length > 0 ? null : agentCost(spent, { model: first.model, provider, pricing });
  });
  const most = trials * user.max_messages * (checking ? 2 : 1);
  const cost_usd = perTrial === null ? null : perTrial * trials;
  const named = (key: keyof AskedForUser) => [...new Set(played.map((each) => each[key]))].join(', ');
  return { user: { adapter: named('adapter'), model: named('model'), calls: { fewest: trials, most }, cost_usd } };
}

async function meanCost<T>(traces: readonly T[], costOf: (trace: T) => Promise<number | null>): Promise<number | null> {
  const costs = await Promise.all(traces.map(costOf));
  const known = costs.filter((cost) => cost !== null);
  return known.length < costs.length ? null : mean(known);
}

/** The cost of the trace, or the cost of its tokens on another model. */
async function agentCost(
  trace: Pick<Trace, 'asked_model' | 'model' | 'cost_usd' | 'input_tokens' | 'output_tokens'>,
  { model, provider, pricing }: { model: string; provider: string; pricing: Pricing },
): Promise<number | null> {
  if ((trace.asked_model ?? trace.model) === model) return trace.cost_usd;
  const { input_tokens, output_tokens } = trace;
  if (input_tokens === null || output_tokens === null) return null;
  return pricing.priceTurn({ model, provider, usage: { input_tokens, output_tokens } });
}

interface TraceSource {
  listRuns(options?: {
    limit?: number;
  }): Promise<{ run_id: string; scenarios: Pick<RunScenario, 'name' | 'file' | 'adapter' | 'model'>[] }[]>;
  trials(runId: string, options?: { scenarioIndex?: number }): AsyncIterable<StoredTrial>;
  getTrace(traceId: string): Promise<Trace | null>;
}

const MOST_RUNS = 100;
const MOST_TRACES = 20;

/**
 * Some traces of the latest run that has any of the same scenario with the same adapter and model. If none has, those of
 * another model, whose tokens are a first guess.
 */
export async function earlierTraces(
  store: TraceSource,
  { loaded, adapter, model }: Pick<EstimatedEntry, 'loaded' | 'adapter' | 'model'>,
): Promise<Trace[]> {
  const { scenario, relativeFile } = loaded;
  const stored = (await store.listRuns({ limit: MOST_RUNS })).flatMap(({ run_id, scenarios }) =>
    scenarios
      .map((each, scenarioIndex) => ({ ...each, run_id, scenarioIndex }))
      .filter(({ name, file }) => name === scenario.name && file === relativeFile),
  );
  const isSame = (each: { adapter: string; model: string }) => each.adapter === adapter && each.model === model;
  for (const { run_id, scenarioIndex } of [...stored.filter(isSame), ...stored.filter((each) => !isSame(each))]) {
    const traces: Trace[] = [];
    try {
      for await (const { trace_id } of store.trials(run_id, { scenarioIndex })) {
        const trace = trace_id === null ? null : await store.getTrace(trace_id);
        if (trace && trace.error === null && !isMetadataOnly(trace)) traces.push(trace);
        if (traces.length === MOST_TRACES) break;
      }
    } catch (error) {
      // What was read before is still a good guess.
      if (!isUnreadable(error)) throw error;
    }
    if (traces.length > 0) return traces;
  }
  return [];
}
