export { referencesIn, traceIdOf } from '../store/documents/dehydrate.ts';
export {
  type Decoder,
  decoder,
  encode,
  migrationNotice,
  unreadable,
} from '../store/documents/document-codec.ts';
export type { Completion } from '../store/documents/earlier-documents.ts';
export { danglingTrial, outcomeDocument } from '../store/documents/trial-rows.ts';
export { type HeldLease, mayTake, ownLeases, readHeldLease, workerOf } from '../store/leases/own-leases.ts';
export type { DatabaseOptions } from '../store/open-store.ts';
export { nothingStored, resolveId } from '../store/resolve-id.ts';
export { runModule, runTables } from '../store/run-tables.ts';
export { runCreation } from '../store/run-writes.ts';
export type {
  JobRecorder,
  Store,
  StoreDescription,
  StoreImports,
  WorkerAccess,
} from '../store/store.ts';
export { trialCostSchema } from '../store/stored-documents.ts';
export { storedRows } from '../store/stored-rows.ts';
export {
  type Change,
  type ColumnValue,
  databaseValue,
  PLAIN_DOCUMENTS,
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
export { changedTrials, type TrialTables, trialTables } from '../store/trial-tables.ts';
