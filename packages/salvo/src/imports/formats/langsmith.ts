import { isRecord } from '../../text/json/is-record.ts';
import { isRun, stepsOfRuns } from '../../trace/forms/recorded/langsmith-runs.ts';
import { isText, rootsOf } from '../../trace/forms/recorded/recorded-step.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from '../import-format.ts';
import { type GivenScore, givenScores } from './given-scores.ts';
import { eachPart, entriesOf, recordedConversation } from './recorded-conversation.ts';

type Fields = Record<string, unknown>;

/** Runs of LangSmith with their child runs, or all runs of traces as a list or as lines. */
export const langsmithFormat: ImportFormat = {
  name: 'langsmith',
  title: 'LangSmith runs',
  unit: 'parts',
  recognises(value) {
    const [first] = entriesOf(value, listIn);
    return first !== undefined && isRun(first);
  },
  *partsOf({ value, line }) {
    for (const [index, run] of entriesOf(value, listIn).entries()) {
      if (isRun(run)) yield { key: traceOf(run) ?? `line ${line}, ${index + 1}`, part: { value: run, line } };
    }
  },
  *read(records) {
    yield conversationOf(records);
  },
};

function listIn({ runs, run_type }: Fields): unknown {
  return run_type === undefined ? runs : null;
}

/** The ids of all runs that a run is within are in `dotted_order`, each after the time of its start. */
function traceOf({ trace_id, dotted_order, parent_run_id, id }: Fields): string | null {
  if (isText(trace_id)) return trace_id;
  const [, root] = isText(dotted_order) ? (/^\d{8}T\d+Z([\w-]+)/.exec(dotted_order) ?? []) : [];
  if (root !== undefined) return root;
  return isText(parent_run_id) ? null : isText(id) ? id : null;
}

function conversationOf(records: readonly FileRecord[]): ImportedConversation {
  const runs = Array.from(eachPart(records, 'the LangSmith trace'), ({ value }) => value);
  // A root may come with its children, and the children by themselves, too: they have the same ids.
  const { steps } = stepsOfRuns(runs, runs.length === 1 ? 'run' : 'runs');
  const ids = new Set(runs.map(({ id }) => id));
  const root = runs.find(({ parent_run_id: parent }) => !isText(parent) || !ids.has(parent)) ?? runs[0] ?? {};
  const { inputs: _, outputs: __, child_runs: ___, events: ____, feedback_stats, ...fields } = root;
  const { session_name, reference_example_id } = root;
  const trace = traceOf(root);
  return recordedConversation({
    trace: { what: 'the LangSmith trace', steps, roots: rootsOf(steps) },
    lines: records.map(({ line }) => line),
    id: trace ?? (isText(root.id) ? root.id : null),
    suite: isText(session_name) ? session_name : null,
    case: isText(reference_example_id) ? reference_example_id : null,
    given: givenScores(scoresOf(feedback_stats)),
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  });
}

/** For each key the mean of the scores that people and evaluators gave, or how often each of the words was chosen. */
function scoresOf(stats: unknown): GivenScore[] {
  if (!isRecord(stats)) return [];
  return Object.entries(stats).flatMap(([name, given]): GivenScore[] => {
    if (!isRecord(given)) return typeof given === 'number' ? [{ name, value: given }] : [];
    if (typeof given.avg === 'number') return [{ name, value: given.avg }];
    const words = isRecord(given.values) ? Object.entries(given.values) : [];
    const [most] = words.sort(([, a], [, b]) => Number(b) - Number(a));
    return most === undefined ? [] : [{ name, value: null, label: most[0] }];
  });
}
