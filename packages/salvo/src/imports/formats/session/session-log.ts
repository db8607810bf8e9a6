import { isRecord } from '../../../text/json/is-record.ts';
import type { ConversationFacts } from '../../../trace/foreign-trace.ts';
import { readPart } from '../../../trace/forms/content.ts';
import { Conversation } from '../../../trace/forms/conversation.ts';
import { FormError } from '../../../trace/forms/form-error.ts';
import { assistantSink, type PartSink, readIntoText } from '../../../trace/forms/part-sink.ts';
import type { FileRecord, ImportedConversation, Loss } from '../../import-format.ts';
import { importedConversation, importedTrace } from '../../imported-trace.ts';
import { SessionClock } from './session-clock.ts';

/** Where something is in a file. */
export interface Place {
  line: number;
  place: string;
}

/** What the conversation of a session is called, and what is known about it beside its messages. */
export interface SessionFacts {
  line: number;
  id: string | null;
  facts?: ConversationFacts;
  fields: Record<string, unknown>;
}

/** An agent that another one called. */
interface CalledAgent {
  name: string;
  /** The call that started it; null if the file does not say. */
  call: string | null;
  [more: string]: unknown;
}

/** The conversation of a session, put together from lines of a file. What cannot be kept of them is counted or a loss. */
export class SessionLog {
  readonly conversation = new Conversation('call');
  readonly clock = new SessionClock();
  readonly losses: Loss[] = [];
  /** By what the file calls them. */
  readonly agents = new Map<string, CalledAgent>();
  readonly #aside = new Map<string, number>();

  /** Counts a line that is no part of the conversation, by its type. */
  leave(type: unknown): void {
    const name = typeof type === 'string' ? type : 'without a type';
    this.#aside.set(name, (this.#aside.get(name) ?? 0) + 1);
  }

  lose({ line, place }: Place, problem: string): void {
    this.losses.push({ line, place, problem });
  }

  /** Reads something, or notes that it could not be read. */
  attempt(at: Place, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      const { message } = error;
      const end = message.indexOf(' ');
      const hasPlace = message.startsWith(at.place) && end > 0;
      this.lose(
        hasPlace ? { line: at.line, place: message.slice(0, end).replace(/:$/, '') } : at,
        hasPlace ? message.slice(end + 1) : message,
      );
    }
  }

  /** Reads a text or a list of parts. A part in no known form does not keep the others from being read. */
  parts(content: unknown, sink: PartSink, { line, place }: Place): void {
    if (content === null || content === undefined) return;
    if (typeof content === 'string') sink.text(content, place);
    else if (!Array.isArray(content)) this.lose({ line, place }, 'is neither a text nor a list of parts');
    else {
      for (const [index, part] of content.entries()) {
        const at = { line, place: `${place}[${index}]` };
        this.attempt(at, () => (typeof part === 'string' ? sink.text(part, at.place) : readPart(part, sink, at.place)));
      }
    }
  }

  /** A message that is not the agent's. Results of tools may be parts of it. */
  message(role: 'user' | 'system', content: unknown, at: Place): void {
    readIntoText(this.conversation, role, (sink) => this.parts(content, sink, at));
  }

  /** What the agent says, into the answer that is being written. */
  say(content: unknown, at: Place): void {
    this.parts(content, assistantSink(this.conversation), at);
  }

  /** Null if there was no conversation, and nothing of it was lost. */
  finish({ line, id, facts = {}, fields }: SessionFacts): ImportedConversation | null {
    const { conversation, clock, losses } = this;
    if (conversation.messages.length === 0) {
      const [first] = losses;
      if (first) throw new FormError(`line ${first.line}, ${first.place}`, first.problem);
      return null;
    }
    const agents = [...this.agents.values()];
    const latency_seconds = facts.latency_seconds ?? clock.latencySeconds();
    const timestamp = facts.timestamp ?? clock.timestamp;
    return importedConversation({
      line,
      id,
      trace: importedTrace(conversation, { ...facts, latency_seconds, timestamp }),
      fields: { ...fields, ...(agents.length > 0 ? { agents } : {}) },
      aside: this.#aside.size > 0 ? { lines: Object.fromEntries(this.#aside) } : {},
      losses,
    });
  }
}

/** A list that is one record counts as its elements. */
export function* eachRecord(records: readonly FileRecord[]): Generator<FileRecord> {
  for (const { value, line } of records) {
    if (Array.isArray(value)) for (const element of value) yield { value: element, line };
    else yield { value, line };
  }
}

/** The first object of what may be a list of them. */
export function firstRecord(value: unknown): Record<string, unknown> | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isRecord(first) ? first : null;
}
