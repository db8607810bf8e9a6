import { resolveId } from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import type { ExperimentRecord } from '../experiment/experiment-record.ts';
import type { ExperimentTables } from './experiment-tables.ts';

export function noExperiments(): SalvoError {
  return new SalvoError(
    'EXPERIMENTS_MISSING',
    'No experiment is stored yet. Play one first: salvo experiment FILE.yaml.',
  );
}

/** The experiment a user means: `latest`, a whole id, or the beginning of just one. */
export async function resolveExperimentId(
  { listExperiments, findExperimentIds: find, getExperiment: get }: ExperimentTables,
  idOrPrefix: string,
  /** To resume one, `latest` is the newest that is not finished. */
  { toResume = false }: { toResume?: boolean } = {},
): Promise<string> {
  const experiments = await listExperiments();
  if (experiments.length === 0) throw noExperiments();
  const isMeant = ({ status }: ExperimentRecord) =>
    toResume ? status !== 'finished' : status === 'finished' || status === 'stopped';
  const latest = (experiments.find(isMeant) ?? experiments[0])?.experiment_id;
  const newest = experiments.map(({ experiment_id }) => experiment_id);
  const codes = { unknown: 'EXPERIMENT_UNKNOWN', ambiguous: 'EXPERIMENT_AMBIGUOUS' } as const;
  return await resolveId({ kind: 'experiment', codes, idOrPrefix, latest, newest, find, get });
}
