import { canonicalJson } from '../../../text/json/canonical-json.ts';
import type { Message } from '../../message.ts';
import { addFigures, type StepFigures } from '../usage.ts';
import type { RecordedStep } from './recorded-step.ts';

/** A message, and when it was there: at the beginning of the call that it was sent with, or at the end of its own. */
export interface TimedMessage {
  message: Message;
  time: number;
}

/** Calls of a model that belong to one conversation: each was sent what the one before it had answered. */
export interface CallChain {
  steps: RecordedStep[];
  messages: TimedMessage[];
}

export interface ReadCall {
  step: RecordedStep;
  sent: Message[];
  answered: Message[];
}

/**
 * Joins calls of models into conversations. A call usually gets all that was said before, but some agents drop or shorten
 * old messages, and some providers keep them: so a call continues a conversation if it was sent its last message, and
 * what follows that message is new; or if it was sent the result of a call that was made there. With `byBeginning`, a call
 * that was sent the same first messages and more continues it, too: some agents rewrite the answers that they send again.
 */
export function callChains(calls: readonly ReadCall[], { byBeginning = false } = {}): CallChain[] {
  const chains: CallChain[] = [];
  const byLast = new Map<string, CallChain>();
  const byCall = new Map<string, CallChain>();
  const beginnings = new Beginnings();
  for (const { step, sent, answered } of calls) {
    const keys = sent.map(keyOf);
    const place = keys.findLastIndex((key) => byLast.has(key));
    const continued = byLast.get(keys[place] ?? '');
    const result = continued ? -1 : sent.findIndex((message) => resultOf(message, byCall) !== undefined);
    const answeredChain = resultOf(sent[result], byCall);
    const begun = byBeginning && !continued && !answeredChain ? beginnings.find(keys) : undefined;
    const chain = continued ?? answeredChain ?? begun ?? { steps: [], messages: [] };
    if (continued) byLast.delete(keys[place] ?? '');
    else if (chain.steps.length === 0) chains.push(chain);
    const ids = continued ? sameAnswer(chain.messages.at(-1)?.message, sent[place]) : new Map<string, string>();
    chain.steps.push(step);
    const start = step.start ?? 0;
    const fresh = begun ? beginnings.freshOf(begun, sent, keys) : sent.slice(answeredChain ? result : place + 1);
    for (const message of fresh) chain.messages.push({ message: withId(message, ids), time: start });
    if (byBeginning) beginnings.add(chain, keys);
    const answer = answered.findLast((message) => message.role === 'assistant');
    if (answer) addFigures(answer, figuresOf(step));
    for (const message of answered) {
      chain.messages.push({ message, time: step.end ?? start });
      if (message.role === 'assistant') for (const { id } of message.tool_calls) byCall.set(id, chain);
    }
    const last = chain.messages.at(-1)?.message;
    if (last) byLast.set(keyOf(last), chain);
  }
  return chains;
}

function resultOf(message: Message | undefined, byCall: ReadonlyMap<string, CallChain>): CallChain | undefined {
  return message?.role === 'tool_result' ? byCall.get(message.tool_call_id) : undefined;
}

/** The first messages of conversations, to find the one that a call continues. */
class Beginnings {
  readonly #byFirst = new Map<string, CallChain>();
  readonly #sent = new Map<CallChain, { first: readonly string[]; seen: Set<string> }>();

  add(chain: CallChain, keys: readonly string[]): void {
    const known = this.#sent.get(chain);
    const asked = keys.findIndex((key) => key.startsWith('user '));
    if (!known && asked >= 0) this.#byFirst.set(canonicalJson(keys.slice(0, asked + 1)), chain);
    const { seen } = known ?? { seen: new Set<string>() };
    for (const key of keys) seen.add(key);
    if (!known) this.#sent.set(chain, { first: keys, seen });
  }

  /** The conversation that began with the same messages, of which there are more now. */
  find(keys: readonly string[]): CallChain | undefined {
    const asked = keys.findIndex((key) => key.startsWith('user '));
    const chain = asked < 0 ? undefined : this.#byFirst.get(canonicalJson(keys.slice(0, asked + 1)));
    const first = chain && this.#sent.get(chain)?.first;
    return first && keys.length > first.length && first.every((key, index) => key === keys[index]) ? chain : undefined;
  }

  /** What the conversation does not have yet. Its answers are there already, in the words of the model. */
  freshOf(chain: CallChain, sent: readonly Message[], keys: readonly string[]): Message[] {
    const seen = this.#sent.get(chain)?.seen;
    return sent.filter((message, index) => message.role !== 'assistant' && !seen?.has(keys[index] ?? ''));
  }
}

function figuresOf({ model, usage, cost_usd, start, end }: RecordedStep): StepFigures {
  const latency_seconds = start === null || end === null || end < start ? null : (end - start) / 1000;
  return { model, ...usage, cost_usd, latency_seconds };
}

/**
 * An answer, and the same one when it is sent again. Some libraries record only the calls of an answer: its text is in
 * what is sent again. Returns the ids of its calls there, which differ if the library records none.
 */
function sameAnswer(answer: Message | undefined, sentAgain: Message | undefined): Map<string, string> {
  if (answer?.role !== 'assistant' || sentAgain?.role !== 'assistant') return new Map();
  if (!answer.content && sentAgain.content) answer.content = sentAgain.content;
  return new Map(sentAgain.tool_calls.map(({ id }, index) => [id, answer.tool_calls[index]?.id ?? id]));
}

function withId(message: Message, ids: ReadonlyMap<string, string>): Message {
  if (message.role !== 'tool_result') return message;
  return { ...message, tool_call_id: ids.get(message.tool_call_id) ?? message.tool_call_id };
}

/** The same for a message and for what it looks like when it is sent again, without its reasoning or its text. */
function keyOf(message: Message): string {
  if (message.role === 'assistant' && message.tool_calls.length > 0) {
    return canonicalJson(
      message.tool_calls.map(({ name, arguments: args, raw_arguments }) => [name, args, raw_arguments]),
    );
  }
  return `${message.role} ${(message.content ?? '').trim()}`;
}
