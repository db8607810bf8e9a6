import { remembered } from '../../text/memo.ts';
import type { AssistantMessage, Message, MessageFile, ToolCall } from '../message.ts';
import { parseToolArguments } from '../tool-arguments.ts';
import { addFigures, type StepFigures, sumUsage, type Usage } from './usage.ts';

const MOST_FILE_BYTES_OF_REPLY = 32 * 1024 * 1024;

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
  files?: readonly MessageFile[] | undefined;
  is_error?: boolean | null | undefined;
  /** The call was not executed. */
  refused?: boolean | undefined;
}

/**
 * Our messages, written down in the order in which an agent reports what happened. The readers of all forms write to
 * it, so none of them needs to know how calls get their ids and results their calls.
 */
export class Conversation {
  readonly messages: Message[] = [];
  readonly #open = new OpenCalls();
  readonly #idPrefix: string;
  /** Tokens, each with how many assistant messages there were when they were counted. */
  readonly #usages: { answers: number; usage: Usage | null }[] = [];
  readonly #byId = new Map<string, ToolCall>();
  /** Answers that came in parts, by the id that the parts have in common. */
  readonly #parts = new Map<string, AssistantMessage>();
  #calls = 0;
  #answers = 0;
  #model: string | null = null;
  #finishReason: string | null = null;
  #answer: AssistantMessage | null = null;
  /** The answer that was written last, also if its tools have answered since. */
  #last: AssistantMessage | null = null;
  /** The ids of the calls in the answer. */
  readonly #ids = new Set<string>();
  #endsWithMarker = false;
  #isItem = false;
  #fileBytes = 0;

  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  text(role: 'system' | 'user', content: string, files?: readonly MessageFile[]): void {
    this.#push(role === 'system' ? { role, content } : { role, content, ...this.#kept(files) });
  }

  /** An assistant message of its own, even if `write` adds nothing to it. */
  assistant(write: () => void): void {
    const before = this.messages.length;
    this.#startAnswer();
    write();
    if (this.messages.length === before) this.#answerUnderWay();
    this.#isItem = false;
  }

  /** A part of an answer that was reported in several items: it belongs to the items just before it. */
  item(write: () => void): void {
    if (!this.#isItem) this.#startAnswer();
    write();
    this.#isItem = true;
  }

  /** What follows belongs to another answer, also if it is an item. */
  endAnswer(): void {
    this.#isItem = false;
  }

  /** A part of an answer that was reported in several messages with one id, maybe with results of its calls in between. */
  part(id: string, write: () => void): void {
    const begun = this.#parts.get(id);
    if (begun === undefined) {
      this.assistant(write);
      const last = this.messages.findLast(({ role }) => role === 'assistant');
      if (last?.role === 'assistant') this.#parts.set(id, last);
      return;
    }
    this.#answer = begun;
    this.#last = begun;
    this.#ids.clear();
    for (const call of begun.tool_calls) this.#ids.add(call.id);
    this.#endsWithMarker = false;
    write();
    this.#isItem = false;
  }

  /** Pieces of one text are joined as the providers do: without anything in between. */
  say(text: string, separator = ''): void {
    const answer = this.#answerUnderWay();
    const between = this.#endsWithMarker ? '\n' : separator;
    answer.content = answer.content === null ? text : `${answer.content}${between}${text}`;
    this.#endsWithMarker = false;
  }

  /** What cannot be shown as text, by its name: `[image]`. */
  show(marker: string, file?: MessageFile): void {
    this.say(marker, '\n');
    if (file) this.attach([file]);
    this.#endsWithMarker = true;
  }

  /** Files of the answer. */
  attach(files: readonly MessageFile[] | undefined): void {
    const kept = this.#kept(files).files ?? [];
    if (kept.length === 0) return;
    const answer = this.#answerUnderWay();
    answer.files = [...(answer.files ?? []), ...kept];
  }

  think(text: string): void {
    if (text === '') return;
    const answer = this.#answerUnderWay();
    answer.reasoning = answer.reasoning === undefined ? text : `${answer.reasoning}\n${text}`;
  }

  /** What the provider wants back unchanged on the next turn. */
  keepState(state: unknown): void {
    if (state !== undefined) this.#answerUnderWay().provider_state = state;
  }

  call({ id, name, raw_arguments, ...call }: ReportedCall): void {
    const answer = this.#answerUnderWay();
    // Some forms have a call twice: among the parts of the content, and in a list beside it.
    if (id && this.#ids.has(id)) return;
    if (id) this.#ids.add(id);
    const given = raw_arguments === undefined ? parseToolArguments(call.arguments) : { arguments: {}, raw_arguments };
    const made = { id: id || `${this.#idPrefix}_${this.#calls}`, name, ...given };
    this.#calls += 1;
    answer.tool_calls.push(made);
    this.#byId.set(made.id, made);
    this.#open.add(made);
  }

  result({ id, name, content, files, is_error, refused }: ReportedResult): void {
    const call = this.#open.take(id, name);
    this.#push({
      role: 'tool_result',
      tool_call_id: id || call?.id || 'unknown',
      name: name || call?.name || 'unknown',
      content,
      ...this.#kept(files),
      is_error: is_error ?? false,
      ...(refused ? { refused } : {}),
    });
  }

  /** Whether a call with this id waits for its result. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** The calls that have no result. */
  get openCalls(): ToolCall[] {
    return this.#open.all();
  }

  /** The tokens of the last answer; null if it does not tell them. */
  count(usage: Usage | null): void {
    if (usage) this.figures(usage);
    this.#usages.push({ answers: this.#answers, usage });
  }

  /** What the step of the last answer took. Figures that are null or missing are unknown. */
  figures(figures: StepFigures): void {
    if (Object.values(figures).some((figure) => figure !== null && figure !== undefined))
      addFigures(this.#last ?? this.#answerUnderWay(), figures);
  }

  /** Which agent wrote the last answer. */
  spokenBy(name: unknown): void {
    if (typeof name === 'string' && name !== '') (this.#last ?? this.#answerUnderWay()).agent = name;
  }

  /** The arguments of a call, by its id. */
  argumentsOf(id: string): ToolCall['arguments'] | undefined {
    return this.#byId.get(id)?.arguments;
  }

  /** The tokens of all messages but the first `known` answers; null if those of a message are unknown. */
  usageAfter(known: number): Usage | null {
    return sumUsage(this.#usages.filter(({ answers }) => answers > known).map(({ usage }) => usage));
  }

  /** The model that wrote the last answer. That of the last answer counts for the conversation. */
  by(model: unknown): void {
    // What a program wrote in the name of the model is marked like this: "<synthetic>".
    if (typeof model !== 'string' || model === '' || model.startsWith('<')) return;
    this.#model = model;
    this.figures({ model });
  }

  get model(): string | null {
    return this.#model;
  }

  /** Why the last answer ended, in the word of the provider or the SDK. */
  endedBy(reason: string | null | undefined): void {
    this.#finishReason = reason ?? null;
  }

  get finishReason(): string | null {
    return this.#finishReason;
  }

  /** Of the files that an agent returned, as many as a trace may hold. The text names the others all the same. */
  #kept(files: readonly MessageFile[] | undefined): { files?: MessageFile[] } {
    const kept = (files ?? []).filter(({ bytes = 0 }) => {
      if (this.#fileBytes + bytes > MOST_FILE_BYTES_OF_REPLY) return false;
      this.#fileBytes += bytes;
      return true;
    });
    return kept.length === 0 ? {} : { files: kept };
  }

  #startAnswer(): void {
    this.#answer = null;
    this.#last = null;
  }

  #push(message: Message): void {
    this.#answer = null;
    this.messages.push(message);
  }

  #answerUnderWay(): AssistantMessage {
    if (this.#answer !== null) return this.#answer;
    const answer: AssistantMessage = { role: 'assistant', content: null, tool_calls: [] };
    this.#push(answer);
    this.#answers += 1;
    this.#answer = answer;
    this.#last = answer;
    this.#ids.clear();
    this.#endsWithMarker = false;
    return answer;
  }
}

/** Calls in their order, of which those that were taken are skipped. */
interface Queue {
  calls: ToolCall[];
  next: number;
}

/** Calls without a result, found by id or by name at once: a hostile reply may hold a million of them. */
class OpenCalls {
  readonly #all: Queue = { calls: [], next: 0 };
  readonly #byId = new Map<string, Queue>();
  readonly #byName = new Map<string, Queue>();
  readonly #taken = new Set<ToolCall>();

  add(call: ToolCall): void {
    this.#all.calls.push(call);
    enqueue(this.#byId, call.id, call);
    enqueue(this.#byName, call.name, call);
  }

  /** The oldest call with this id; without an id, the oldest with this name; without both, the oldest. */
  take(id: string | null | undefined, name: string | null | undefined): ToolCall | undefined {
    const call = this.#next(id ? this.#byId.get(id) : name ? this.#byName.get(name) : this.#all);
    if (call) this.#taken.add(call);
    return call;
  }

  has(id: string): boolean {
    return this.#next(this.#byId.get(id)) !== undefined;
  }

  #next(queue: Queue | undefined): ToolCall | undefined {
    for (; queue && queue.next < queue.calls.length; queue.next += 1) {
      const call = queue.calls[queue.next];
      if (call !== undefined && !this.#taken.has(call)) return call;
    }
    return undefined;
  }

  all(): ToolCall[] {
    return this.#all.calls.filter((call) => !this.#taken.has(call));
  }
}

function enqueue(queues: Map<string, Queue>, key: string, call: ToolCall): void {
  remembered(queues, key, () => ({ calls: [], next: 0 })).calls.push(call);
}
