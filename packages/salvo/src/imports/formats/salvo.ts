import { isRecord } from '../../text/json/is-record.ts';
import { FormError, readAs } from '../../trace/forms/form-error.ts';
import { traceSchema } from '../../trace/trace.ts';
import type { FileRecord, GivenOutcome, ImportedConversation, ImportFormat } from '../import-format.ts';
import { importedConversation } from '../imported-trace.ts';

/** The JSON lines of `salvo export`. The trace stays as it is. */
export const salvoFormat: ImportFormat = {
  name: 'salvo',
  title: 'salvo export',
  unit: 'record',
  recognises: (value) =>
    isRecord(value) && 'trace' in value && 'run_id' in value && 'scenario' in value && 'trial_number' in value,
  *read(records) {
    for (const record of records) yield readTrial(record);
  },
};

function readTrial({ value, line }: FileRecord): ImportedConversation {
  if (!isRecord(value)) throw new FormError('the line', 'is no trial');
  const { trace: written, result, ...fields } = value;
  if (!isRecord(written)) throw new FormError('trace:', 'there is none: the trial was not run');
  const trace = readAs(traceSchema, written, 'trace');
  const { run_id, scenario, trial_number } = value;
  const suite = typeof scenario === 'string' ? scenario : null;
  const ofCase = typeof value.case === 'string' ? value.case : suite;
  return importedConversation({
    line,
    trace,
    id: `${String(run_id)}/${suite}/${ofCase}/${String(trial_number)}`,
    suite,
    case: ofCase,
    trial: typeof trial_number === 'number' ? trial_number : null,
    given: givenBy(result),
    fields,
  });
}

/** What could not be scored has no outcome. */
function givenBy(result: unknown): GivenOutcome | null {
  if (!isRecord(result) || result.status === 'unscored' || typeof result.passed !== 'boolean') return null;
  return { passed: result.passed, reward: typeof result.score === 'number' ? result.score : null, scores: {} };
}
