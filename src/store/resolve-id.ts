import type { StoredTrial } from '../run/run-record.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Store } from './store.ts';

const MOST_SHOWN = 5;

export function nothingStored(): SalvoError {
  return new SalvoError('NO_RUNS', 'Nothing is stored yet. Run a scenario first: salvo run FILE.');
}

export function noExperiments(): SalvoError {
  return new SalvoError('NO_EXPERIMENTS', 'No experiment is stored yet. Play one first: salvo experiment FILE.yaml.');
}

/** The run a user means: `latest`, a whole id, or the beginning of just one. */
export async function resolveRunId(store: Store, idOrPrefix: string): Promise<string> {
  const runs = await store.listRuns({ limit: MOST_SHOWN });
  if (runs.length === 0) throw nothingStored();
  const { findRunIds: find, getRun: get } = store;
  return await latestOrOnly({ kind: 'run', idOrPrefix, newest: runs.map(({ run_id }) => run_id), find, get });
}

/** The experiment a user means: `latest`, a whole id, or the beginning of just one. */
export async function resolveExperimentId(store: Store, idOrPrefix: string): Promise<string> {
  const experiments = await store.listExperiments({ limit: MOST_SHOWN });
  if (experiments.length === 0) throw noExperiments();
  const newest = experiments.map(({ experiment_id }) => experiment_id);
  const { findExperimentIds: find, getExperiment: get } = store;
  return await latestOrOnly({ kind: 'experiment', idOrPrefix, newest, find, get });
}

async function latestOrOnly(search: {
  kind: 'run' | 'experiment';
  idOrPrefix: string;
  newest: readonly string[];
  find: (prefix: string, limit: number) => Promise<string[]>;
  get: (id: string) => Promise<unknown>;
}): Promise<string> {
  const { kind, idOrPrefix, newest, find, get } = search;
  if (idOrPrefix === 'latest' && newest[0] !== undefined) return newest[0];
  const found = idOrPrefix === '' ? [] : await find(idOrPrefix, MOST_SHOWN + 1);
  return onlyMatch({ kind, idOrPrefix, found: await preferExact(idOrPrefix, found, get), known: newest });
}

/** The trace a user means: its id, the beginning of just one, or `latest`: the newest run's first failure, if any. */
export async function resolveTraceId(store: Store, idOrPrefix: string): Promise<string> {
  if (idOrPrefix === 'latest') return await latestTraceId(store);
  const prefix = idOrPrefix.toLowerCase();
  const found = prefix === '' ? [] : await store.findTraceIds(prefix, MOST_SHOWN + 1);
  const known = await store.findTraceIds('', MOST_SHOWN);
  return onlyMatch({ kind: 'trace', idOrPrefix, found: await preferExact(prefix, found, store.getTrace), known });
}

/** A run, or one trial of it when a trace is meant. */
export async function resolveRunOrTrace(
  store: Store,
  idOrPrefix: string,
): Promise<{ runId: string; trial: StoredTrial | null }> {
  const isRun = idOrPrefix === 'latest' || (await store.findRunIds(idOrPrefix, 1)).length > 0;
  const isTrace = !isRun && idOrPrefix !== '' && (await store.findTraceIds(idOrPrefix.toLowerCase(), 1)).length > 0;
  if (!isTrace) return { runId: await resolveRunId(store, idOrPrefix), trial: null };
  const traceId = await resolveTraceId(store, idOrPrefix);
  const trial = await store.findTrialOfTrace(traceId);
  if (!trial) throw new SalvoError('TRACE_WITHOUT_TRIAL', `No trial is stored for the trace ${traceId}.`);
  return { runId: trial.run_id, trial };
}

async function latestTraceId(store: Store): Promise<string> {
  const runId = await resolveRunId(store, 'latest');
  let first: string | null = null;
  for await (const { trace_id, result } of store.trials(runId)) {
    if (trace_id === null) continue;
    if (result && ['failed', 'hard_fail', 'crashed'].includes(result.status)) return trace_id;
    first ??= trace_id;
  }
  if (first !== null) return first;
  throw new SalvoError('NO_TRACES', `The latest run, ${runId}, has no stored trace.`);
}

/** A whole id is never ambiguous, even if longer ones begin with it. */
async function preferExact(id: string, found: string[], get: (id: string) => Promise<unknown>): Promise<string[]> {
  return found.length > 1 && (await get(id)) !== null ? [id] : found;
}

function onlyMatch(search: {
  kind: 'run' | 'trace' | 'experiment';
  idOrPrefix: string;
  found: readonly string[];
  known: readonly string[];
}): string {
  const { kind, idOrPrefix, found, known } = search;
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  const [code, problem, candidates] =
    id === undefined
      ? ['UNKNOWN', `There is no ${kind} ${JSON.stringify(idOrPrefix)}.`, known]
      : ['AMBIGUOUS', `More than one ${kind} begins with ${JSON.stringify(idOrPrefix)}.`, found];
  const more = candidates.length > MOST_SHOWN ? '\n  ...' : '';
  const list = candidates.slice(0, MOST_SHOWN).map((candidate) => `\n  ${candidate}`);
  const heading = id === undefined ? ` The newest:${list.join('')}` : ` Give more of its id:${list.join('')}${more}`;
  throw new SalvoError(`${code}_${kind.toUpperCase()}`, problem + (candidates.length === 0 ? '' : heading));
}
