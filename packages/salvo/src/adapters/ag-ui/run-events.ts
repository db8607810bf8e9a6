import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import { applyPatch } from './json-patch.ts';

type Fields = Record<string, unknown>;

/** A part of a UI message of the AI SDK, which has what the events say: texts, reasoning, calls with and without results. */
type Part = Fields;

/** The events of one run of an agent behind AG-UI, to its answer and its state. */
export class RunEvents {
  readonly #callee: string;
  readonly #parts: Part[] = [];
  readonly #texts = new Map<string, Part>();
  readonly #calls = new Map<string, { part: Part; args: string }>();
  #lastCall = '';
  #usage: Fields[] = [];
  #snapshot: unknown[] = [];
  /** Sent back with the next run. */
  state: unknown;
  isOver = false;
  events = 0;

  constructor(callee: string, state: unknown) {
    this.#callee = callee;
    this.state = state;
  }

  /** Returns the words of the answer that an event has. */
  add(event: unknown): string | undefined {
    this.events += 1;
    if (!isRecord(event) || typeof event.type !== 'string')
      throw this.#unreadable(`an event without a type: ${shown(event)}`);
    const [, kind, stage] =
      /^(TEXT_MESSAGE|REASONING_MESSAGE|THINKING_TEXT_MESSAGE|TOOL_CALL)_(\w+)$/.exec(event.type) ?? [];
    if (kind === 'TEXT_MESSAGE') return this.#addText(event, 'text');
    if (kind === 'TOOL_CALL') this.#addCall(event, stage);
    else if (kind !== undefined) this.#addText(event, 'reasoning');
    else this.#addOther(event);
    return undefined;
  }

  /** In a form that `parseAgentReply` reads. */
  reply(): Fields {
    if (this.#parts.length === 0) for (const message of this.#snapshot) this.#addMessage(message);
    for (const { part, args } of this.#calls.values()) {
      if (args !== '') part.input = jsonOrUndefined(args) ?? args;
      part.state = part.output === undefined ? 'input-available' : 'output-available';
    }
    const sum = (name: string) => this.#usage.reduce((total, each) => total + (Number(each[name]) || 0), 0);
    const model = this.#usage.find((each) => typeof each.model === 'string')?.model;
    return {
      role: 'assistant',
      parts: this.#parts,
      ...(this.#usage.length > 0 && {
        usage: { input_tokens: sum('inputTokens'), output_tokens: sum('outputTokens') },
      }),
      ...(model === undefined ? {} : { model }),
    };
  }

  /** Texts of sub-agents are no answer to the user. Their calls are calls. */
  #addText({ messageId, delta, role, subagentRunId }: Fields, type: 'text' | 'reasoning'): string | undefined {
    const isOther = subagentRunId !== undefined || (role !== undefined && role !== 'assistant' && type === 'text');
    if (isOther) return undefined;
    const id = typeof messageId === 'string' ? messageId : ([...this.#texts.keys()].at(-1) ?? '').replace(/^\w+ /, '');
    const key = `${type} ${id}`;
    const part = this.#texts.get(key) ?? { type, text: '' };
    if (!this.#texts.has(key)) this.#open(part);
    this.#texts.set(key, part);
    if (typeof delta !== 'string') return undefined;
    part.text = `${part.text}${delta}`;
    return delta;
  }

  #addCall(event: Fields, stage: string | undefined): void {
    const { toolCallId, toolCallName, delta, content } = event;
    const id = typeof toolCallId === 'string' ? toolCallId : this.#lastCall;
    this.#lastCall = id;
    const call = this.#calls.get(id) ?? { part: { type: 'dynamic-tool', toolCallId: id, input: {} }, args: '' };
    if (!this.#calls.has(id)) this.#parts.push(call.part);
    if (typeof toolCallName === 'string') call.part.toolName = toolCallName;
    if (typeof delta === 'string') call.args += delta;
    if (stage === 'RESULT') call.part.output = content ?? '';
    if (call.part.toolName === undefined) throw this.#unreadable(`a tool call that has not begun: ${shown(event)}`);
    this.#calls.set(id, call);
  }

  /** After a call, a text is another message of the agent. */
  #open(part: Part): void {
    if (this.#parts.at(-1)?.type === 'dynamic-tool') this.#parts.push({ type: 'step-start' });
    this.#parts.push(part);
  }

  #addOther(event: Fields): void {
    switch (event.type) {
      case 'STATE_SNAPSHOT':
        this.state = event.snapshot;
        break;
      case 'STATE_DELTA':
        this.state = this.#patched(event.delta);
        break;
      case 'MESSAGES_SNAPSHOT':
        this.#snapshot = afterLastUser(event.messages);
        break;
      case 'RUN_ERROR': {
        const code = typeof event.code === 'string' ? ` (${event.code})` : '';
        throw new AdapterError('bad_response', `${this.#callee} reported an error: ${shown(event.message)}${code}`);
      }
      case 'RUN_FINISHED':
        this.#finish(event);
    }
  }

  #finish({ usage, outcome }: Fields): void {
    if (Array.isArray(usage)) this.#usage = usage.filter(isRecord);
    if (isRecord(outcome) && outcome.type === 'interrupt') {
      throw this.#unreadable(`it waits for a person, which Salvo cannot be: ${shown(outcome.interrupts)}`);
    }
    this.isOver = true;
  }

  #patched(patch: unknown): unknown {
    try {
      return applyPatch(this.state ?? {}, patch);
    } catch (error) {
      throw this.#unreadable(`a change of its state: ${errorMessage(error)}`);
    }
  }

  #addMessage(message: unknown): void {
    if (!isRecord(message)) return;
    const { role, content, toolCalls, toolCallId, id } = message;
    if (role === 'tool') this.#addCall({ toolCallId, content }, 'RESULT');
    if (role !== 'assistant') return;
    if (typeof content === 'string' && content !== '') this.#addText({ messageId: String(id), delta: content }, 'text');
    for (const call of Array.isArray(toolCalls) ? toolCalls.filter(isRecord) : []) {
      const called = isRecord(call.function) ? call.function : {};
      this.#addCall({ toolCallId: call.id, toolCallName: called.name, delta: called.arguments }, 'START');
    }
  }

  #unreadable(problem: string): AdapterError {
    return new AdapterError('bad_response', `${this.#callee} sent ${problem}`);
  }
}

function afterLastUser(messages: unknown): unknown[] {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  return list.slice(list.findLastIndex((message) => isRecord(message) && message.role === 'user') + 1);
}

function shown(value: unknown): string {
  return quoteOutput(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), { length: 300 });
}
