import type { DatabaseSync } from 'node:sqlite';
import { type Decoder, encodeVersioned, readEach, type Store, type Write } from 'salvo/kit/store';
import { type ExperimentRecord, experimentRecordSchema } from '../../experiment/experiment-record.ts';

/** Experiments, without their games. */
export interface ExperimentTable {
  save(experiment: ExperimentRecord): Write;
  get(experimentId: string): ExperimentRecord | null;
  list(query: NonNullable<Parameters<Store['listExperiments']>[0]>): ExperimentRecord[];
  findIds(prefix: string, limit: number): string[];
}

export function experimentTable(database: DatabaseSync, decode: Decoder): ExperimentTable {
  const upsert = database.prepare(
    `INSERT INTO experiments (experiment_id, created_at, record) VALUES (?, ?, ?)
     ON CONFLICT (experiment_id) DO UPDATE SET created_at = excluded.created_at, record = excluded.record`,
  );
  const select = database.prepare('SELECT record FROM experiments WHERE experiment_id = ?');
  const selectAll = database.prepare('SELECT experiment_id, record FROM experiments ORDER BY seq DESC LIMIT ?');
  const selectIds = database.prepare(
    `SELECT experiment_id FROM experiments WHERE experiment_id >= ? AND experiment_id < ? || char(1114111)
     ORDER BY seq DESC LIMIT ?`,
  );
  const decodeRecord = (what: string, record: unknown) => decode(what, experimentRecordSchema, String(record));
  return {
    save(experiment) {
      const { document, blobs } = encodeVersioned(`The experiment ${experiment.experiment_id}`, experiment);
      return { blobs, change: () => upsert.run(experiment.experiment_id, experiment.created_at, document) };
    },
    get(experimentId) {
      const record = select.get(experimentId)?.record;
      return record === undefined ? null : decodeRecord(`The experiment ${experimentId}`, record);
    },
    list: ({ limit = -1, onUnreadable }) =>
      readEach(
        selectAll.all(limit),
        ({ record }) => decodeRecord('An experiment', record),
        ({ experiment_id }, { why }) => onUnreadable?.({ experiment_id: String(experiment_id), why }),
      ),
    findIds: (prefix, limit) => selectIds.all(prefix, prefix, limit).map((row) => String(row.experiment_id)),
  };
}
