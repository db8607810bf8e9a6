export { referencesIn } from '../store/documents/dehydrate.ts';
export {
  asJson,
  conforms,
  type Decoder,
  DOCUMENT_VERSION,
  decoder,
  encode,
  encodeVersioned,
  migrationNotice,
  readEach,
  unreadable,
} from '../store/documents/document-codec.ts';
export { completeGame } from '../store/documents/earlier-documents.ts';
export { rawRow } from '../store/documents/raw-row.ts';
export { RUN_COLUMNS, readableRuns, runRows, scenarioFigures } from '../store/documents/run-rows.ts';
export { danglingTrial, outcomeDocument, trialRows } from '../store/documents/trial-rows.ts';
export { type HeldLease, mayTake, ownLeases, workerOf } from '../store/leases/own-leases.ts';
export { noExperiments, nothingStored, resolveExperimentId } from '../store/resolve-id.ts';
export type { Write } from '../store/sqlite/blob-table.ts';
export { isForeignKeyError } from '../store/sqlite/sqlite-error.ts';
export { type DatabasePatience, OUTAGE_SECONDS, PATIENCE_SECONDS } from '../store/start-patience.ts';
export type {
  CalibrationQuery,
  JobRecorder,
  LabelQuery,
  OnUnreadable,
  RunFigures,
  RunListing,
  RunRevision,
  Store,
  StoreDescription,
  StoredRow,
  StoreImports,
  UnreadableExperiment,
  Workforce,
} from '../store/store.ts';
export { traceIdOf, trialCostSchema } from '../store/stored-documents.ts';
