import { isRecord } from '../../../text/json/is-record.ts';
import { Conversation } from '../../../trace/forms/conversation.ts';
import { finishReason } from '../../../trace/forms/finish-reason.ts';
import { FormError } from '../../../trace/forms/form-error.ts';
import { sumUsage, type Usage } from '../../../trace/forms/usage.ts';
import type { ImportedConversation, ImportFormat } from '../../import-format.ts';
import { importedConversation, importedTrace } from '../../imported-trace.ts';
import { eachConversation, eachObject, placeAt, type ReadingPlace, readEachMessage } from '../read-each.ts';
import { amountOf, fieldsWithout, isoTimeOf, listIn, recordIn, textOf, trialOf } from '../record-fields.ts';
import { isInspectArchive, readInspectArchive } from './inspect-archive.ts';
import { figuresOfAnswers, inspectUsage, messagesOfEvents } from './inspect-events.ts';
import { readInspectMessage, withAttachments } from './inspect-message.ts';
import { inspectOutcome } from './inspect-scores.ts';

type Fields = Record<string, unknown>;

/** Logs of Inspect AI: a document with its samples, or a sample by itself, or an `.eval` file with a file for each sample. */
export const inspectFormat: ImportFormat = {
  name: 'inspect',
  title: 'Inspect logs',
  unit: 'record',
  lists: ['samples'],
  recognises: (value) => isRecord(value) && (isLog(value) || isSample(value)),
  *read(records) {
    for (const { value, line } of eachObject(records, 'is not a log of Inspect, which is an object')) {
      if (isSample(value)) yield readSample(value, { line, place: '', log: {} });
      else yield* readLog(value, line);
    }
  },
  recognisesBytes: isInspectArchive,
  readBytes: (path) => readInspectArchive(path, (document) => readLog(document, 1)),
};

function* readLog(document: Fields, line: number): Generator<ImportedConversation> {
  const log = recordIn(document, 'eval');
  if (!Array.isArray(document.samples)) throw new FormError('samples:', 'is missing: the log has no samples in it');
  yield* eachConversation(document.samples, 'samples', (sample, place) => readSample(sample, { line, place, log }));
}

function isLog(value: Fields): boolean {
  return (
    isRecord(value.eval) && 'task' in value.eval && 'model' in value.eval && ('status' in value || 'version' in value)
  );
}

function isSample(value: Fields): boolean {
  return typeof value.epoch === 'number' && 'id' in value && 'input' in value && 'target' in value;
}

interface Document {
  line: number;
  place: string;
  /** What the log says about all samples: its task and its model. */
  log: Fields;
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['messages', 'events', 'attachments', 'events_data', 'message_pool', 'call_pool', 'timelines', 'transcript'],
]);
const KNOWN: ReadonlySet<string> = new Set([
  ...LEFT_OUT,
  ...['id', 'epoch', 'input', 'choices', 'target', 'sandbox', 'files', 'setup', 'output', 'metadata', 'eval'],
  ...[
    'model_usage',
    'role_usage',
    'started_at',
    'completed_at',
    'total_time',
    'working_time',
    'uuid',
    'error',
    'limit',
  ],
]);

function readSample(given: unknown, { line, place, log }: Document): ImportedConversation {
  if (!isRecord(given)) throw new FormError(`${place || 'it'}:`, 'expected a sample, which is an object');
  const at = placeAt(line, place === '' ? '' : `${place}.`);
  const sample = withOldTranscript(given);
  const conversation = readMessages(sample, at);
  const output = recordIn(sample, 'output');
  const limit = textOf(recordIn(sample, 'limit'), 'type');
  const [choice] = listIn(output, 'choices');
  const stop = isRecord(choice) ? textOf(choice, 'stop_reason') : null;
  const model = textOf(output, 'model') ?? textOf(log, 'model');
  const trace = importedTrace(conversation, {
    model,
    provider: providerOf(textOf(log, 'model')),
    usage: usageOf(sample, log),
    latency_seconds: amountOf(sample.working_time) ?? amountOf(sample.total_time),
    timestamp: isoTimeOf(sample.started_at ?? log.created),
    finish_reason: limit === null ? stop && finishReason(stop) : `${limit}_limit`,
    error: errorOf(sample.error),
  });
  const id = textOf(sample, 'uuid');
  return importedConversation({
    line,
    id,
    trace: { ...trace, max_turns_hit: limit === 'message' || limit === 'turn' },
    suite: textOf(log, 'task'),
    case: textOf(sample, 'id'),
    trial: trialOf(sample.epoch),
    given: inspectOutcome(sample),
    fields: fieldsWithout(sample, LEFT_OUT),
    aside: fieldsWithout(sample, KNOWN),
    losses: at.losses,
  });
}

/** Early logs have events and attachments in a transcript. */
function withOldTranscript(sample: Fields): Fields {
  const { events, content } = recordIn(sample, 'transcript');
  return Array.isArray(events) ? { events, attachments: content, ...sample } : sample;
}

function readMessages(sample: Fields, at: ReadingPlace): Conversation {
  const conversation = new Conversation('call');
  const own = listIn(sample, 'messages');
  const missing = new Set<string>();
  const messages = withAttachments(own.length > 0 ? own : messagesOfEvents(sample), sample.attachments, (reference) =>
    missing.add(reference),
  );
  const figures = figuresOfAnswers(sample);
  const read = (message: unknown, into: Conversation, place: string): void => {
    readInspectMessage(message, into, place);
    const id = isRecord(message) && message.role === 'assistant' ? textOf(message, 'id') : null;
    into.figures((id === null ? undefined : figures.get(id)) ?? {});
  };
  if (Array.isArray(messages) && messages.length > 0) {
    readEachMessage(messages, conversation, { at, name: 'messages', read });
  } else if (sample.error === null || sample.error === undefined) {
    throw new FormError(`${at.prefix}messages:`, 'is empty, and no event has messages');
  }
  for (const reference of missing) {
    at.losses.push({ line: at.line, place: `${at.prefix}attachments`, problem: `does not have ${reference}` });
  }
  return conversation;
}

/** The tokens of the model under test: scorers may have used others. */
function usageOf(sample: Fields, log: Fields): Usage | null {
  const byModel = recordIn(sample, 'model_usage');
  const model = textOf(log, 'model');
  const own = model === null || !Object.hasOwn(byModel, model) ? null : inspectUsage(byModel[model]);
  return own ?? sumUsage(Object.values(byModel).map(inspectUsage)) ?? inspectUsage(recordIn(sample, 'output').usage);
}

/** Inspect's models have their provider before a slash. */
function providerOf(model: string | null): string | null {
  return model?.includes('/') ? model.slice(0, model.indexOf('/')) : null;
}

function errorOf(error: unknown): string | null {
  return isRecord(error) ? textOf(error, 'message') : typeof error === 'string' && error !== '' ? error : null;
}
