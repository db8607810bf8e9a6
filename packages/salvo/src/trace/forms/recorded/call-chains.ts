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
 * what follows that message is new.
 */
export function callChains(calls: readonly ReadCall[]): CallChain[] {
  const chains: CallChain[] = [];
  const byLast = new Map<string, CallChain>();
  for (const { step, sent, answered } of calls) {
    const keys = sent.map(keyOf);
    const place = keys.findLastIndex((key) => byLast.has(key));
    const continued = byLast.get(keys[place] ?? '');
    const chain = continued ?? { steps: [], messages: [] };
    if (continued) byLast.delete(keys[place] ?? '');
    else chains.push(chain);
    const ids = sameAnswer(chain.messages.at(-1)?.message, sent[place]);
    chain.steps.push(step);
    const start = step.start ?? 0;
    for (const message of sent.slice(place + 1)) chain.messages.push({ message: withId(message, ids), time: start });
    const answer = answered.findLast((message) => message.role === 'assistant');
    if (answer) addFigures(answer, figuresOf(step));
    for (const message of answered) chain.messages.push({ message, time: step.end ?? start });
    const last = chain.messages.at(-1)?.message;
    if (last) byLast.set(keyOf(last), chain);
  }
  return chains;
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
