import { salvoVersion } from '../app/version.ts';
import { newId } from '../queue/new-id.ts';
import { thisProcess } from '../queue/owner.ts';
import type { RunRecord } from './run-record.ts';

/** The record of a run that begins now, in this process. */
export function newRun(plan: Pick<RunRecord, 'options' | 'scenarios' | 'reeval_of'>): RunRecord {
  return {
    run_id: newId(),
    created_at: new Date().toISOString(),
    finished_at: null,
    status: 'running',
    verdict: null,
    exit_code: null,
    salvo_version: salvoVersion(),
    owner: thisProcess(),
    ...plan,
  };
}
