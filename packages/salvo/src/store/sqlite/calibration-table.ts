import type { DatabaseSync } from 'node:sqlite';
import { type CalibrationRecord, calibrationRecordSchema } from '../../judge/calibration/calibration-record.ts';
import { type Decoder, encodeVersioned, readEach } from '../documents/document-codec.ts';
import type { CalibrationQuery } from '../store.ts';
import type { Write } from './blob-table.ts';

/** The latest calibration of each judge. */
export interface CalibrationTable {
  save(record: CalibrationRecord): Write;
  delete(judgeHash: string): Write;
  get(judgeHash: string): CalibrationRecord | null;
  list(query: CalibrationQuery): CalibrationRecord[];
}

export function calibrationTable(database: DatabaseSync, decode: Decoder): CalibrationTable {
  const upsert = database.prepare(
    `INSERT INTO calibrations (judge_hash, created_at, record) VALUES (?, ?, ?)
     ON CONFLICT (judge_hash) DO UPDATE SET created_at = excluded.created_at, record = excluded.record`,
  );
  const remove = database.prepare('DELETE FROM calibrations WHERE judge_hash = ?');
  const select = database.prepare('SELECT record FROM calibrations WHERE judge_hash = ?');
  const selectAll = database.prepare(
    'SELECT judge_hash, created_at, record FROM calibrations ORDER BY created_at DESC, judge_hash',
  );
  const readRecords = (rows: Record<string, unknown>[], { onUnreadable }: CalibrationQuery = {}): CalibrationRecord[] =>
    readEach(
      rows,
      ({ record }) => decode('A calibration', calibrationRecordSchema, String(record)),
      ({ judge_hash, created_at }, { why }) =>
        onUnreadable?.({ judge_hash: String(judge_hash), created_at: String(created_at), why }),
    );
  return {
    save(record) {
      const { document, blobs } = encodeVersioned(`The calibration of ${record.judge_model}`, record);
      return { blobs, change: () => upsert.run(record.judge_hash, record.created_at, document) };
    },
    delete: (judgeHash) => ({ blobs: new Map(), change: () => remove.run(judgeHash) }),
    get: (judgeHash) => readRecords(select.all(judgeHash))[0] ?? null,
    list: (query) => readRecords(selectAll.all(), query),
  };
}
