import { isRecord } from '../../text/json/is-record.ts';
import { isRow, rowStep } from '../../trace/forms/recorded/braintrust-rows.ts';
import { isText, rootsOf } from '../../trace/forms/recorded/recorded-step.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from '../import-format.ts';
import { type GivenScore, givenScores } from './given-scores.ts';
import { eachPart, entriesOf, recordedConversation } from './recorded-conversation.ts';

type Fields = Record<string, unknown>;

/** Rows of Braintrust's experiments and logs: spans, which belong together by their root. */
export const braintrustFormat: ImportFormat = {
  name: 'braintrust',
  title: 'Braintrust rows',
  unit: 'parts',
  recognises(value) {
    const [first] = entriesOf(value, listIn);
    return first !== undefined && isRow(first);
  },
  *partsOf({ value, line }) {
    for (const row of entriesOf(value, listIn))
      if (isRow(row)) yield { key: String(row.root_span_id), part: { value: row, line } };
  },
  *read(records) {
    yield conversationOf(records);
  },
};

/** The rows of what the API answers. */
function listIn(value: Fields): unknown {
  const { events, data, rows } = value;
  return isRow(value) ? null : [events, data, rows].find(Array.isArray);
}

function conversationOf(records: readonly FileRecord[]): ImportedConversation {
  const rows = Array.from(eachPart(records, 'the Braintrust trace'), ({ value }) => value).filter(isRow);
  const steps = rows.map(rowStep);
  const root = rows.find((row) => row.is_root === true || row.span_id === row.root_span_id) ?? rows[0] ?? {};
  const { input: _, output: __, scores: ___, span_parents: ____, ...fields } = root;
  const origin = isRecord(root.origin) ? root.origin : {};
  const dataset = [root.dataset_record_id, origin.id].find(isText);
  return recordedConversation({
    trace: { what: 'the Braintrust trace', steps, roots: rootsOf(steps) },
    lines: records.map(({ line }) => line),
    id: isText(root.root_span_id) ? root.root_span_id : null,
    case: dataset ?? null,
    given: givenScores(distinctScores([root, ...rows])),
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  });
}

/** A score is in the row of its scorer, and in that of the root. Null is a score that could not be given. */
function distinctScores(rows: readonly Fields[]): GivenScore[] {
  const found = new Map<string, GivenScore>();
  for (const { scores } of rows) {
    if (!isRecord(scores)) continue;
    for (const [name, value] of Object.entries(scores)) {
      if (!found.has(name) && (typeof value === 'number' || typeof value === 'boolean'))
        found.set(name, { name, value });
    }
  }
  return [...found.values()];
}
