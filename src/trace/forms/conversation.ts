import type { AssistantMessage, Message, ToolCall } from '../message.ts';
import { parseToolArguments } from '../tool-arguments.ts';
import { sumUsage, type Usage } from './usage.ts';

export interface ReportedCall {
  id?: string | null | undefined;
  name: string;
  /** JSON text, or already an object. */
  arguments?: unknown;
  raw_arguments?: string | undefined;
}

export interface ReportedResult {
  /** Without an id it answers the oldest open call, of its name if it has one. */
  id?: string | null | undefined;
  name?: string | null | undefined;
  content: string;
  is_error?: boolean | null | undefined;
}

/**
 * Our messages, written down in the order in which an agent reports what happened. The readers of all forms write to
 * it, so none of them needs to know how calls get their ids and results their calls.
 */
export class Conversation {
  readonly messages: Message[] = [];
  /** The calls that have no result yet. */
  readonly openCalls: ToolCall[] = [];
  readonly #idPrefix: string;
  readonly #usages: (Usage | null)[] = [];
  #calls = 0;
  #answer: AssistantMessage | null = null;
  #endsWithMarker = false;
  #isItem = false;

  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  system(content: string): void {
    this.#push({ role: 'system', content });
  }

  user(content: string): void {
    this.#push({ role: 'user', content });
  }

  /** An assistant message of its own, even if `write` adds nothing to it. */
  assistant(write: () => void): void {
    const before = this.messages.length;
    this.#answer = null;
    write();
    if (this.messages.length === before) this.#open();
    this.#isItem = false;
  }

  /** A part of an answer that was reported in several items: it belongs to the items just before it. */
  item(write: () => void): void {
    if (!this.#isItem) this.#answer = null;
    write();
    this.#isItem = true;
  }

  /** Pieces of one text are joined as the providers do: without anything in between. */
  say(text: string, separator = ''): void {
    const answer = this.#open();
    const between = this.#endsWithMarker ? '\n' : separator;
    answer.content = answer.content === null ? text : `${answer.content}${between}${text}`;
    this.#endsWithMarker = false;
  }

  /** What cannot be shown as text, by its name: `[image]`. */
  show(marker: string): void {
    this.say(marker, '\n');
    this.#endsWithMarker = true;
  }

  think(text: string): void {
    if (text === '') return;
    const answer = this.#open();
    answer.reasoning = answer.reasoning === undefined ? text : `${answer.reasoning}\n${text}`;
  }

  /** What the provider wants back unchanged on the next turn. */
  keepState(state: unknown): void {
    if (state !== undefined) this.#open().provider_state = state;
  }

  call({ id, name, raw_arguments, ...call }: ReportedCall): void {
    const answer = this.#open();
    // Some forms have a call twice: among the parts of the content, and in a list beside it.
    if (id && answer.tool_calls.some((earlier) => earlier.id === id && earlier.name === name)) return;
    const given = raw_arguments === undefined ? parseToolArguments(call.arguments) : { arguments: {}, raw_arguments };
    const made = { id: id || `${this.#idPrefix}_${this.#calls}`, name, ...given };
    this.#calls += 1;
    answer.tool_calls.push(made);
    this.openCalls.push(made);
  }

  result({ id, name, content, is_error }: ReportedResult): void {
    const position = this.openCalls.findIndex((call) => (id ? call.id === id : !name || call.name === name));
    const [call] = position < 0 ? [] : this.openCalls.splice(position, 1);
    this.#push({
      role: 'tool_result',
      tool_call_id: id || call?.id || 'unknown',
      name: name || call?.name || 'unknown',
      content,
      is_error: is_error ?? false,
    });
  }

  /** The tokens of one message of the model; null when it has none. */
  count(usage: Usage | null): void {
    this.#usages.push(usage);
  }

  /** The tokens of all messages; null if those of a message are unknown. */
  get usage(): Usage | null {
    return sumUsage(this.#usages);
  }

  #push(message: Message): void {
    this.#answer = null;
    this.messages.push(message);
  }

  #open(): AssistantMessage {
    if (this.#answer !== null) return this.#answer;
    const answer: AssistantMessage = { role: 'assistant', content: null, tool_calls: [] };
    this.#push(answer);
    this.#answer = answer;
    this.#endsWithMarker = false;
    return answer;
  }
}
