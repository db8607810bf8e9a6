import { isDeepStrictEqual } from 'node:util';
import type { Redactor } from '../../secrets/redactor.ts';
import { traceSchema } from '../../trace/trace.ts';
import type { JobRecorder, Store } from '../store.ts';
import { runChangeSchema, runRecordSchema, storedTrialSchema } from '../stored-documents.ts';
import type { TableEngine, TableStore } from '../table-module.ts';
import { createDocumentRedactor, type RecordingMode } from './redact-document.ts';

/**
 * A store that no secret gets into. The one place where redaction happens; documents are read as they were stored.
 * Every method is written out, so that a method added to `Store` does not compile until it is written here, too.
 */
export function redactingStore(store: Store, options: { redactor: Redactor; mode: RecordingMode }): Store {
  const { redactor, mode } = options;
  const redact = createDocumentRedactor(options);
  const engineOf = (engine: TableEngine): TableEngine => ({
    ...engine,
    keepsTexts: mode !== 'metadata_only',
    document: (what, schema, value) => engine.document(what, schema, redact(schema, value)),
    exactDocument: (what, value) =>
      mode !== 'metadata_only' && isDeepStrictEqual(redactor.value(value), value)
        ? engine.exactDocument(what, value)
        : null,
  });
  const tablesOf = ({ tables }: TableStore): TableStore => ({
    tables: (module) => tables({ ...module, open: (engine) => module.open(engineOf(engine)) }),
  });
  const results = ({ saveFinished, ...recorder }: JobRecorder): JobRecorder => ({
    saveTrace: (trace, trial) => recorder.saveTrace(redact(traceSchema, trace), trial),
    getTrace: (traceId) => recorder.getTrace(traceId),
    saveTrial: (trial) => recorder.saveTrial(redact(storedTrialSchema, trial)),
    saveFinished:
      saveFinished && ((trace, trial) => saveFinished(redact(traceSchema, trace), redact(storedTrialSchema, trial))),
    getTrial: (runId, place) => recorder.getTrial(runId, place),
    ...tablesOf(recorder),
  });
  const { workerAccess, imports } = store;
  return {
    ...results(store),
    workerAccess: workerAccess && {
      queue: workerAccess.queue,
      limits: workerAccess.limits,
      ofJob: (lease) => results(workerAccess.ofJob(lease)),
      addEarlierCost: (trial, cost, options) => workerAccess.addEarlierCost(trial, cost, options),
      cursor: () => workerAccess.cursor(),
      changedTrials: (runId, cursor) => workerAccess.changedTrials(runId, cursor),
    },

    imports: imports && {
      importRun: (run, trials) =>
        imports.importRun(redact(runRecordSchema, run), async function* () {
          for await (const { trial, trace } of trials()) {
            yield { trial: redact(storedTrialSchema, trial), trace: trace && redact(traceSchema, trace) };
          }
        }),
    },
    describe: () => store.describe(),

    claim: (work) => store.claim(work),
    holderOf: (work) => store.holderOf(work),
    askToStop: (work) => store.askToStop(work),

    createRun: (run) => store.createRun(redact(runRecordSchema, run)),
    updateRun: (runId, change) => store.updateRun(runId, redact(runChangeSchema, change)),
    getRun: (runId) => store.getRun(runId),
    listRuns: (query) => store.listRuns(query),
    runFigures: (runIds, onUnreadable) => store.runFigures(runIds, onUnreadable),
    storedRows: (runId) => store.storedRows(runId),
    runRevisions: () => store.runRevisions(),
    findRunIds: (prefix, limit) => store.findRunIds(prefix, limit),
    deleteRun: (runId) => store.deleteRun(runId),
    restoreRun: (runId) => store.restoreRun(runId),
    removeForGood: (ids, module) => store.removeForGood(ids, module),
    purgeDeletedRuns: (olderThanSeconds) => store.purgeDeletedRuns(olderThanSeconds),

    findTraceIds: (prefix, limit) => store.findTraceIds(prefix, limit),
    findTrialOfTrace: (traceId) => store.findTrialOfTrace(traceId),

    trials: (runId, query) => store.trials(runId, query),
    trialOutcomes: (runId, page) => store.trialOutcomes(runId, page),
    trialHeads: (runId) => store.trialHeads(runId),
    version: () => store.version(),

    close: () => store.close(),
  };
}
