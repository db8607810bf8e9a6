import type { DatabaseSync } from 'node:sqlite';
import { type HumanLabel, humanLabelSchema } from '../../judge/calibration/human-label.ts';
import { type Decoder, encodeVersioned, readEach } from '../documents/document-codec.ts';
import type { LabelQuery } from '../store.ts';
import type { Write } from './blob-table.ts';

/** What people said of trials. */
export interface LabelTable {
  save(label: HumanLabel): Write;
  delete(labelId: string): Write;
  list(query: LabelQuery): HumanLabel[];
}

export function labelTable(database: DatabaseSync, decode: Decoder): LabelTable {
  const upsert = database.prepare(
    `INSERT INTO labels (label_id, trace_id, assertion_id, criterion, labelled_by, label) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (trace_id, assertion_id, criterion, labelled_by)
     DO UPDATE SET label_id = excluded.label_id, label = excluded.label`,
  );
  const remove = database.prepare('DELETE FROM labels WHERE label_id = ?');
  const select = database.prepare('SELECT label_id, label FROM labels WHERE ? IS NULL OR trace_id = ? ORDER BY seq');
  return {
    save(label) {
      const { document, blobs } = encodeVersioned('A label', label);
      const { label_id, trace_id, assertion_id, criterion, labelled_by } = label;
      // In an index of SQLite, no NULL equals another.
      const key = [trace_id, JSON.stringify(assertion_id), JSON.stringify(criterion), labelled_by];
      return { blobs, change: () => upsert.run(label_id, ...key, document) };
    },
    delete: (labelId) => ({ blobs: new Map(), change: () => remove.run(labelId) }),
    list: ({ traceId = null, onUnreadable }) =>
      readEach(
        select.all(traceId, traceId),
        ({ label }) => decode('A label', humanLabelSchema, String(label)),
        ({ label_id }, { why }) => onUnreadable?.({ label_id: String(label_id), why }),
      ),
  };
}
