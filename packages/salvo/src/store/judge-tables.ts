import { hash } from 'node:crypto';
import { type CalibrationRecord, calibrationRecordSchema } from '../judge/calibration/calibration-record.ts';
import { type HumanLabel, humanLabelSchema } from '../judge/calibration/human-label.ts';
import {
  type ColumnValue,
  query,
  selectReadable,
  type TableEngine,
  type TableStore,
  type TableWrite,
  upsert,
} from './table-module.ts';

/** A calibration that can't be read, such as one from before the judge of a calibration was described. */
export interface UnreadableCalibration {
  judge_hash: string;
  created_at: string;
  /** What is wrong with it. */
  why: string;
}

interface LabelQuery {
  traceId?: string | undefined;
  /** `why`: what is wrong with it. */
  onUnreadable?: (label: { label_id: string; why: string }) => void;
}

/** What people said of trials, and the latest calibration of each judge. */
export type JudgeTables = ReturnType<typeof judgeTables>;

export function judgesOf(store: TableStore): JudgeTables {
  return store.tables({ name: 'judges', open: judgeTables });
}

function judgeTables(engine: TableEngine) {
  const selectCalibrations = (
    rest: string,
    values: ColumnValue[],
    onUnreadable: (calibration: UnreadableCalibration) => void = () => {},
  ): Promise<CalibrationRecord[]> =>
    selectReadable(
      engine,
      { text: `SELECT judge_hash, created_at, record FROM @calibrations ${rest}`, values },
      (row) => row.document('record', 'A calibration', calibrationRecordSchema),
      (row, why) => onUnreadable({ judge_hash: row.text('judge_hash'), created_at: row.text('created_at'), why }),
    );

  return {
    /** Replaces the earlier calibration of the same judge. */
    saveCalibration(given: CalibrationRecord): Promise<void> {
      const what = `The calibration of ${given.judge_model}`;
      const record = engine.document(what, calibrationRecordSchema, given);
      const { judge_hash, created_at } = record.value;
      const change = () => upsert('calibrations', { judge_hash }, { created_at, record });
      return engine.write({ to: null, documents: [record], change });
    },
    /** Does nothing if the judge has none. */
    deleteCalibration: (judgeHash: string): Promise<void> =>
      engine.write(deletion('DELETE FROM @calibrations WHERE judge_hash = $1', judgeHash)),
    /** Null as well if it can't be read: then the judge has to be calibrated again. */
    async getCalibration(judgeHash: string): Promise<CalibrationRecord | null> {
      const [record] = await selectCalibrations('WHERE judge_hash = $1', [judgeHash]);
      return record ?? null;
    },
    /** Of all judges, newest first. Those that can't be read are left out, and passed to `onUnreadable`. */
    listCalibrations: ({ onUnreadable }: { onUnreadable?: (calibration: UnreadableCalibration) => void } = {}) =>
      selectCalibrations('ORDER BY created_at DESC, judge_hash', [], onUnreadable),

    /** Replaces what the same person said of the same thing before. Returns the label without secrets. */
    async saveLabel(given: HumanLabel): Promise<HumanLabel> {
      const label = engine.document('A label', humanLabelSchema, given);
      const { label_id, trace_id } = label.value;
      const change = () => upsert('labels', subjectOf(engine, label.value), { label_id, trace_id, label });
      await engine.write({ to: null, documents: [label], change });
      return label.value;
    },
    /** Does nothing if there is no such label. */
    deleteLabel: (labelId: string): Promise<void> =>
      engine.write(deletion('DELETE FROM @labels WHERE label_id = $1', labelId)),
    /**
     * Those of one trace, or all, in the order of their creation. Those that can't be read are left out, and passed to
     * `onUnreadable`.
     */
    listLabels: ({ traceId, onUnreadable }: LabelQuery = {}): Promise<HumanLabel[]> =>
      selectReadable(
        engine,
        {
          text: `SELECT label_id, label FROM @labels ${traceId === undefined ? '' : 'WHERE trace_id = $1'} ORDER BY seq`,
          values: traceId === undefined ? [] : [traceId],
        },
        (row) => row.document('label', 'A label', humanLabelSchema),
        (row, why) => onUnreadable?.({ label_id: row.text('label_id'), why }),
      ),
  };
}

function deletion(text: string, key: string): TableWrite {
  function* change() {
    yield* query(text, [key]);
  }
  return { to: null, documents: [], change };
}

/** What a label is about and whose it is, which is unique: SQLite has columns for it, and PostgreSQL their hash. */
function subjectOf({ dialect }: TableEngine, label: HumanLabel): Record<string, ColumnValue> {
  const { trace_id, assertion_id, criterion, labelled_by } = label;
  if (dialect === 'postgres') {
    return { subject: hash('sha256', JSON.stringify([trace_id, assertion_id, criterion, labelled_by]), 'buffer') };
  }
  // In an index of SQLite, no NULL equals another.
  return { trace_id, assertion_id: JSON.stringify(assertion_id), criterion: JSON.stringify(criterion), labelled_by };
}
