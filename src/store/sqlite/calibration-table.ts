import type { DatabaseSync } from 'node:sqlite';
import { type CalibrationRecord, calibrationRecordSchema } from '../../judge/calibration/calibration-record.ts';
import type { BlobTable } from './blob-table.ts';
import type { Dehydrated } from './dehydrate.ts';
import { type Decoder, encode } from './document-codec.ts';

/** How judges compared with people, the latest calibration of each. */
export interface CalibrationTable {
  /** The change to make inside a transaction. */
  save(record: CalibrationRecord): { blobs: Dehydrated['blobs']; change: () => void };
  get(judgeHash: string): CalibrationRecord | null;
}

export function calibrationTable(parts: {
  database: DatabaseSync;
  blobs: BlobTable;
  decode: Decoder;
}): CalibrationTable {
  const { database, blobs, decode } = parts;
  const upsert = database.prepare(
    `INSERT INTO calibrations (judge_hash, created_at, record) VALUES (?, ?, ?)
     ON CONFLICT (judge_hash) DO UPDATE SET created_at = excluded.created_at, record = excluded.record`,
  );
  const select = database.prepare('SELECT record FROM calibrations WHERE judge_hash = ?');
  return {
    save(record) {
      const { document, blobs: found } = encode(`The calibration of ${record.judge_model}`, record);
      return {
        blobs: found,
        change() {
          blobs.insert(found);
          upsert.run(record.judge_hash, record.created_at, document);
        },
      };
    },
    get(judgeHash) {
      const record = select.get(judgeHash)?.record;
      const what = `The calibration of judge ${judgeHash.slice(0, 12)}`;
      return record === undefined ? null : decode(what, calibrationRecordSchema, String(record));
    },
  };
}
