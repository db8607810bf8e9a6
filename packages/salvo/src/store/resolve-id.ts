import type { ErrorCode } from '../text/errors/error-codes.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import type { Store } from './store.ts';

const MOST_SHOWN = 5;

/** `missing`: a sentence about what was looked for. */
export function nothingStored(missing?: string): SalvoError {
  const where = missing === undefined ? '' : ` ${missing}`;
  return new SalvoError('RUNS_MISSING', `Nothing is stored yet.${where} Run a scenario first: salvo run FILE.`);
}

/** The newest run that finished; if none did, the newest. Null when there is none. */
export async function latestRunId(store: Pick<Store, 'runRevisions'>): Promise<string | null> {
  const runs = await store.runRevisions();
  return (runs.find(({ status }) => status === 'finished') ?? runs[0])?.run_id ?? null;
}

/** The runs that finished, the newest first. */
export async function completeRunIds(store: Pick<Store, 'runRevisions'>): Promise<string[]> {
  return (await store.runRevisions()).flatMap(({ run_id, status }) => (status === 'finished' ? [run_id] : []));
}

/** The run a user means: `latest`, a whole id, or the beginning of just one. */
export async function resolveRunId(store: Store, idOrPrefix: string): Promise<string> {
  const latest = await latestRunId(store);
  if (latest === null) throw nothingStored();
  const { findRunIds: find, getRun: get } = store;
  const codes = { unknown: 'RUN_UNKNOWN', ambiguous: 'RUN_AMBIGUOUS' } as const;
  return await resolveId({ kind: 'run', codes, idOrPrefix, latest, newest: await find('', MOST_SHOWN), find, get });
}

/** The work of a kind that a user means: `latest`, a whole id, or the beginning of just one. */
export async function resolveId(search: {
  kind: string;
  codes: { unknown: ErrorCode; ambiguous: ErrorCode };
  idOrPrefix: string;
  latest: string | undefined;
  newest: readonly string[];
  find: (prefix: string, limit: number) => Promise<string[]>;
  get: (id: string) => Promise<unknown>;
}): Promise<string> {
  const { kind, codes, idOrPrefix, latest, newest, find, get } = search;
  if (idOrPrefix === 'latest' && latest !== undefined) return latest;
  const begun = idOrPrefix === '' ? [] : await find(idOrPrefix, MOST_SHOWN + 1);
  // A whole id is never ambiguous, even if longer ones begin with it.
  const found = begun.length > 1 && (await get(idOrPrefix)) !== null ? [idOrPrefix] : begun;
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  const [code, problem, candidates] =
    id === undefined
      ? [codes.unknown, `There is no ${kind} ${JSON.stringify(idOrPrefix)}.`, newest]
      : [codes.ambiguous, `More than one ${kind} begins with ${JSON.stringify(idOrPrefix)}.`, found];
  const more = candidates.length > MOST_SHOWN ? '\n  ...' : '';
  const list = candidates.slice(0, MOST_SHOWN).map((candidate) => `\n  ${candidate}`);
  const heading = id === undefined ? ` The newest:${list.join('')}` : ` Give more of its id:${list.join('')}${more}`;
  throw new SalvoError(code, problem + (candidates.length === 0 ? '' : heading));
}
