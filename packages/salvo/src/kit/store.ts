export { referencesIn, traceIdOf } from '../store/documents/dehydrate.ts';
export {
  conforms,
  type Decoder,
  DOCUMENT_VERSION,
  decoder,
  encode,
  migrationNotice,
  unreadable,
} from '../store/documents/document-codec.ts';
export type { Completion } from '../store/documents/earlier-documents.ts';
export { rawRow } from '../store/documents/raw-row.ts';
export { RUN_COLUMNS, readableRuns, runRows, scenarioFigures } from '../store/documents/run-rows.ts';
export { danglingTrial, outcomeDocument, trialRows } from '../store/documents/trial-rows.ts';
export { type HeldLease, mayTake, ownLeases, workerOf } from '../store/leases/own-leases.ts';
export { nothingStored, resolveId } from '../store/resolve-id.ts';
export type {
  JobRecorder,
  OnUnreadable,
  RunFigures,
  RunListing,
  RunRevision,
  Store,
  StoreDescription,
  StoredRow,
  StoreImports,
  Workforce,
} from '../store/store.ts';
export { trialCostSchema } from '../store/stored-documents.ts';
export {
  type Change,
  type ColumnValue,
  PLAIN_DOCUMENTS,
  plainValue,
  query,
  readPages,
  type Statement,
  selectLocked,
  selectReadable,
  statementSql,
  type TableEngine,
  type TableModule,
  type TableRow,
  type TableStore,
  type TableWrite,
  type TendedTables,
  tableNames,
  textsOf,
  upsert,
  type WorkModule,
  type WorkTables,
} from '../store/table-module.ts';
