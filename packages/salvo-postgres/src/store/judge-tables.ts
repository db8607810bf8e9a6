import { hash } from 'node:crypto';
import { type CalibrationRecord, calibrationRecordSchema, type HumanLabel, humanLabelSchema } from 'salvo/kit/judge';
import { type CalibrationQuery, encodeVersioned, type LabelQuery, readEach } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import { columnText, nullableText, textInColumn } from './column-text.ts';
import { NO_TEXTS, type StoreDatabase, type Write } from './store-database.ts';

/** The latest calibration of each judge. */
export interface CalibrationTable {
  save(record: CalibrationRecord): Write;
  delete(judgeHash: string): Write;
  get(judgeHash: string): Promise<CalibrationRecord | null>;
  list(query: CalibrationQuery): Promise<CalibrationRecord[]>;
}

export function calibrationTable(database: StoreDatabase): CalibrationTable {
  async function select(
    rest: string,
    values: unknown[],
    { onUnreadable }: CalibrationQuery = {},
  ): Promise<CalibrationRecord[]> {
    const { rows, decode } = await database.select(
      `SELECT judge_hash, created_at, record FROM ${SCHEMA}.calibrations ${rest}`,
      values,
    );
    return readEach(
      rows,
      ({ record }) => decode('A calibration', calibrationRecordSchema, String(record)),
      ({ judge_hash, created_at }, { why }) =>
        onUnreadable?.({
          judge_hash: textInColumn(String(judge_hash)),
          created_at: textInColumn(String(created_at)),
          why,
        }),
    );
  }
  return {
    save(record) {
      const { document, blobs } = encodeVersioned(`The calibration of ${record.judge_model}`, record);
      return {
        texts: blobs,
        async change(sql) {
          await sql.query(
            `INSERT INTO ${SCHEMA}.calibrations (judge_hash, created_at, record) VALUES ($1, $2, $3)
             ON CONFLICT (judge_hash) DO UPDATE SET created_at = excluded.created_at, record = excluded.record`,
            [columnText(record.judge_hash), columnText(record.created_at), document],
          );
        },
      };
    },
    delete: (judgeHash) => ({
      texts: NO_TEXTS,
      async change(sql) {
        await sql.query(`DELETE FROM ${SCHEMA}.calibrations WHERE judge_hash = $1`, [columnText(judgeHash)]);
      },
    }),
    async get(judgeHash) {
      const [record] = await select('WHERE judge_hash = $1', [columnText(judgeHash)]);
      return record ?? null;
    },
    list: (query) => select('ORDER BY created_at DESC, judge_hash', [], query),
  };
}

/** What people said of trials. */
export interface LabelTable {
  save(label: HumanLabel): Write;
  delete(labelId: string): Write;
  list(query: LabelQuery): Promise<HumanLabel[]>;
}

export function labelTable(database: StoreDatabase): LabelTable {
  return {
    save(label) {
      const { document, blobs } = encodeVersioned('A label', label);
      const { label_id, trace_id, assertion_id, criterion, labelled_by } = label;
      const subject = hash('sha256', JSON.stringify([trace_id, assertion_id, criterion, labelled_by]), 'buffer');
      return {
        texts: blobs,
        async change(sql) {
          await sql.query(
            `INSERT INTO ${SCHEMA}.labels (label_id, trace_id, subject, label) VALUES ($1, $2, $3, $4)
             ON CONFLICT (subject) DO UPDATE SET label_id = excluded.label_id, label = excluded.label`,
            [columnText(label_id), columnText(trace_id), subject, document],
          );
        },
      };
    },
    delete: (labelId) => ({
      texts: NO_TEXTS,
      async change(sql) {
        await sql.query(`DELETE FROM ${SCHEMA}.labels WHERE label_id = $1`, [columnText(labelId)]);
      },
    }),
    async list({ traceId = null, onUnreadable }) {
      const { rows, decode } = await database.select(
        `SELECT label_id, label FROM ${SCHEMA}.labels WHERE $1::text IS NULL OR trace_id = $1 ORDER BY seq`,
        [nullableText(traceId)],
      );
      return readEach(
        rows,
        ({ label }) => decode('A label', humanLabelSchema, String(label)),
        ({ label_id }, { why }) => onUnreadable?.({ label_id: textInColumn(String(label_id)), why }),
      );
    },
  };
}
