import { randomInt } from 'node:crypto';
import { thisProcess } from '../queue/owner.ts';
import { salvoVersion } from '../text/salvo-version.ts';
import type { RunRecord } from './run-record.ts';

/** The record of a run that begins now, in this process. */
export function newRun(plan: Pick<RunRecord, 'options' | 'scenarios' | 'reeval_of'>): RunRecord {
  return {
    run_id: newRunId(),
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

const LETTERS = '23456789abcdefghjkmnpqrstvwxyz';

/** Ten letters and digits that can't be mistaken for each other; the first few tell runs apart. */
function newRunId(): string {
  return Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
