import { isRecord } from '../../../text/json/is-record.ts';
import { isAdkEvent } from '../adk-event.ts';

type Event = Record<string, unknown>;

/** Events of a session that have a piece of a text, and those that have the whole answer after its pieces. */
interface SessionForm {
  pieceOf(event: Event): unknown;
  isWhole(event: Event): boolean;
}

const claude: SessionForm = {
  pieceOf: ({ type, event }) => (type === 'stream_event' ? field(event, 'delta', 'text') : undefined),
  isWhole: ({ type }) => type === 'assistant',
};

const adk: SessionForm = {
  pieceOf: (event) => {
    const parts = event.partial === true && isAdkEvent(event) ? field(event.content, 'parts') : undefined;
    if (!Array.isArray(parts)) return undefined;
    return parts.map((part) => (field(part, 'thought') === true ? '' : (field(part, 'text') ?? ''))).join('');
  },
  isWhole: (event) => event.partial !== true && isAdkEvent(event),
};

const strands: SessionForm = {
  pieceOf: ({ type, event }) => (type === 'modelStreamUpdateEvent' ? field(event, 'delta', 'text') : undefined),
  isWhole: ({ type }) => type === 'messageAddedEvent',
};

const openAiAgents: SessionForm = {
  pieceOf: ({ data }) => (field(data, 'type') === 'output_text_delta' ? field(data, 'delta') : undefined),
  isWhole: ({ data }) => field(data, 'type') === 'response_done',
};

const FORMS = [claude, adk, strands, openAiAgents];

/** What an agent was saying when the stream of its session was stopped; undefined if nothing was under way. */
export function openAnswer(chunks: readonly unknown[]): string | undefined {
  let text = '';
  for (const event of chunks.filter(isRecord)) {
    if (FORMS.some(({ isWhole }) => isWhole(event))) text = '';
    const piece = FORMS.map(({ pieceOf }) => pieceOf(event)).find((each) => typeof each === 'string');
    if (typeof piece === 'string') text += piece;
  }
  return text === '' ? undefined : text;
}

function field(value: unknown, ...names: string[]): unknown {
  return names.reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), value);
}
