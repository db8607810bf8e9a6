import { isRecord } from '../../text/json/is-record.ts';
import { FormError } from '../../trace/forms/form-error.ts';
import { findMessages } from '../../trace/forms/recorded/find-messages.ts';
import { attributesOf, observationStep, unquoted } from '../../trace/forms/recorded/langfuse-trace.ts';
import { parsed } from '../../trace/forms/recorded/recorded-messages.ts';
import { isText, type RecordedStep, type RecordedTrace, rootsOf } from '../../trace/forms/recorded/recorded-step.ts';
import { hasSpanMessages, spanMessages } from '../../trace/forms/recorded/span-messages.ts';
import type { FileRecord, ImportedConversation, ImportFormat, Loss } from '../import-format.ts';
import { type GivenScore, givenScores } from './given-scores.ts';
import { eachPart, entriesOf, recordedConversation } from './recorded-conversation.ts';

type Fields = Record<string, unknown>;

const TYPES: ReadonlySet<unknown> = new Set([
  ...['GENERATION', 'SPAN', 'EVENT', 'TOOL', 'AGENT', 'CHAIN'],
  ...['RETRIEVER', 'EMBEDDING', 'GUARDRAIL', 'EVALUATOR'],
]);

/** Traces of Langfuse with their observations, and observations and scores by themselves: one, a list or lines of them. */
export const langfuseFormat: ImportFormat = {
  name: 'langfuse',
  title: 'Langfuse traces',
  unit: 'parts',
  recognises(value) {
    const [first] = entriesOf(value, listIn);
    return first !== undefined && kindOf(first) !== null;
  },
  *partsOf({ value, line }) {
    for (const [index, entry] of entriesOf(value, listIn).entries()) {
      const kind = kindOf(entry);
      if (kind === null) continue;
      const of = isRecord(entry.trace) ? plain(entry.trace) : plain(entry);
      const key = kind === 'trace' ? of.id : of.traceId;
      yield { key: isText(key) ? key : `line ${line}, ${index + 1}`, part: { value: entry, line } };
    }
  },
  *read(records) {
    yield conversationOf(records);
  },
};

/** The entries of a page of the API. */
function listIn(value: Fields): unknown {
  const { data } = value;
  return Array.isArray(data) && !('input' in value) && data.every(isRecord) ? data : null;
}

function kindOf(entry: Fields): 'trace' | 'observation' | 'score' | null {
  if (isObservation(entry)) return 'observation';
  const trace = isRecord(entry.trace) ? entry.trace : entry;
  const listed = [entry.observations, trace.observations].find(Array.isArray);
  if (Array.isArray(listed) && isText(trace.id)) {
    if (listed.some(isObservation)) return 'trace';
    if (listed.every((each) => typeof each === 'string') && 'timestamp' in trace) return 'trace';
  }
  const { traceId, timestamp, projectId, dataType, source, id } = plain(entry);
  const isTrace = isText(id) && timestamp !== undefined && ('sessionId' in plain(entry) || projectId !== undefined);
  if (traceId === undefined && isTrace && 'input' in entry && !('messages' in entry)) return 'trace';
  const isScore = isText(traceId) && isText(entry.name) && (dataType !== undefined || source !== undefined);
  return isScore && ('value' in entry || 'stringValue' in entry) ? 'score' : null;
}

function isObservation(entry: unknown): boolean {
  if (!isRecord(entry) || !TYPES.has(entry.type) || !isText(entry.id)) return false;
  return ['startTime', 'start_time', 'traceId', 'trace_id', 'parentObservationId'].some((name) => name in entry);
}

const NAMES = new Map([['provided_model_name', 'model']]);

/** Exports to a storage have the names of the API in snake case. */
function plain(entry: Fields): Fields {
  if (!('trace_id' in entry) && !('session_id' in entry) && !('project_id' in entry)) return entry;
  const camel = (name: string) =>
    NAMES.get(name) ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [camel(name), value]));
}

interface Gathered {
  trace: Fields | null;
  steps: RecordedStep[];
  lines: number[];
  scores: GivenScore[];
  losses: Loss[];
}

function conversationOf(records: readonly FileRecord[]): ImportedConversation {
  const { trace, steps, lines, scores, losses } = gathered(records);
  const whole: RecordedTrace['roots'] = trace
    ? [{ input: unquoted(trace.input) ?? null, output: unquoted(trace.output) ?? null, fields: ['input', 'output'] }]
    : [];
  const [first] = records;
  const observation = isRecord(first?.value) ? plain(first.value) : {};
  const id = trace?.id ?? observation.traceId ?? observation.id;
  const { input: _, output: __, observations: ___, scores: ____, metadata, ...fields } = trace ?? own(observation);
  return recordedConversation({
    trace: { what: 'the Langfuse trace', steps, roots: [...whole, ...rootsOf(steps)] },
    lines: lines.length > 0 ? lines : records.map(({ line }) => line),
    id: isText(id) ? id : null,
    given: givenScores(scores),
    fields: { ...fields, ...(metadata === undefined ? {} : { metadata: parsed(metadata, 'metadata') }) },
    losses,
  });
}

/** Of observations without their trace, what all of them say. */
function own({ traceId, sessionId, userId, environment }: Fields): Fields {
  const known = Object.entries({ traceId, sessionId, userId, environment }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known);
}

function gathered(records: readonly FileRecord[]): Gathered {
  const found: Gathered = { trace: null, steps: [], lines: [], scores: [], losses: [] };
  const add = (entry: unknown, line: number): void => {
    const place = `observations[${found.steps.length}]`;
    if (!isRecord(entry)) {
      const problem =
        'is only the id of an observation, so tool calls cannot be seen: export the trace with its observations';
      found.losses.push({ line, place, problem });
      return;
    }
    try {
      found.steps.push(toldByAttributes(observationStep(plain(entry), found.steps.length), plain(entry).metadata));
      found.lines.push(line);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      found.losses.push({ line, place: error.place, problem: error.problem });
    }
  };
  for (const { value, line } of eachPart(records, 'the Langfuse trace')) {
    const kind = kindOf(value);
    if (kind === 'observation') add(value, line);
    else if (kind === 'score') found.scores.push(...scoreOf(value));
    else {
      const trace = plain(isRecord(value.trace) ? value.trace : value);
      found.trace = { ...found.trace, ...trace };
      const listed = [value.observations, trace.observations].find((list) => Array.isArray(list) && list.length > 0);
      for (const entry of Array.isArray(listed) ? listed : []) add(entry, line);
      const scores = [trace.scores, value.scores].find(Array.isArray);
      for (const score of Array.isArray(scores) ? scores : []) found.scores.push(...scoreOf(score));
    }
  }
  return found;
}

/**
 * Langfuse takes one of the attributes of a span for its input and one for its output. If these have no messages in them,
 * others of the span may have.
 */
function toldByAttributes(step: RecordedStep, metadata: unknown): RecordedStep {
  const attributes = attributesOf(metadata);
  if (step.kind === 'tool' || !hasSpanMessages(attributes)) return step;
  const { input, output } = step;
  const told = spanMessages(attributes, []);
  return {
    ...step,
    input: findMessages(input) ? input : (told.input ?? input),
    output: findMessages(output) ? output : (told.output ?? output),
  };
}

function scoreOf(given: unknown): GivenScore[] {
  if (!isRecord(given)) return [];
  const { name, value, stringValue, dataType } = plain(given);
  if (!isText(name)) return [];
  if (dataType === 'BOOLEAN') return [{ name, value: value === 1 || value === true }];
  if (dataType === 'CATEGORICAL' || typeof value !== 'number') {
    const word = [stringValue, value].find(isText);
    return word === undefined ? [] : [{ name, value: null, label: word }];
  }
  return [{ name, value }];
}
