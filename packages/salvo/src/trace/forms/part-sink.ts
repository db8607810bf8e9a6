import { z } from 'zod';
import type { MessageFile } from '../message.ts';
import type { Conversation, ReportedCall, ReportedResult } from './conversation.ts';
import { FormError, readAs } from './form-error.ts';

/** Where the parts of one message go. */
export interface PartSink {
  text(text: string, place: string): void;
  /** What cannot be shown as text, by its name: `[image]`, and the file itself where the part has it. */
  marker(name: string, place: string, file?: MessageFile): void;
  reasoning(text: string, place: string): void;
  call(call: ReportedCall, place: string): void;
  result(result: ReportedResult): void;
}

/** Reads one part of a message. `place` is where it is in the reply: `messages[3].content[1]`. */
export type PartReader = (part: Record<string, unknown>, sink: PartSink, place: string) => void;

const callSchema = z.object({ id: z.string().nullish(), name: z.string().min(1) });

/** A reader of calls, whose arguments are in this field. */
export function callReader(field: string): PartReader {
  return (part, sink, place) => {
    const { id, name } = readAs(callSchema, part, place);
    sink.call({ id, name, arguments: part[field] }, place);
  };
}

export function assistantSink(conversation: Conversation): PartSink {
  return {
    text: (text) => conversation.say(text),
    marker: (name, _, file) => conversation.show(name, file),
    reasoning: (text) => conversation.think(text),
    call: (call) => conversation.call(call),
    result: (result) => conversation.result(result),
  };
}

/** A message of the user or the system is text. Anthropic also sends the results of tools as parts of it. */
export function readIntoText(
  conversation: Conversation,
  role: 'user' | 'system',
  read: (sink: PartSink) => void,
  beside: readonly MessageFile[] = [],
): void {
  const texts: string[] = [];
  const files = [...beside];
  let results = 0;
  const refuse = (place: string, what: string): never => {
    throw new FormError(place, `is ${what} in a message of the role ${role}`);
  };
  read({
    text: (text) => texts.push(text),
    marker: (name, _, file) => {
      texts.push(name);
      if (file) files.push(file);
    },
    reasoning: (_, place) => refuse(place, 'reasoning'),
    call: (_, place) => refuse(place, 'a tool call'),
    result: (result) => {
      results += 1;
      conversation.result(result);
    },
  });
  if (texts.length === 0 && results > 0) return;
  conversation.text(role, texts.join('\n'), files);
}

/** A message of the role tool: results, and nothing else. */
export function resultSink(conversation: Conversation): PartSink {
  const refuse = (place: string): never => {
    throw new FormError(place, 'is not the result of a tool, but is in a message of the role tool');
  };
  return {
    text: (_, place) => refuse(place),
    marker: (_, place) => refuse(place),
    reasoning: (_, place) => refuse(place),
    call: (_, place) => refuse(place),
    result: (result) => conversation.result(result),
  };
}
