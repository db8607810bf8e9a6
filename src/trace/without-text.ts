import type { Message, ToolCall } from './message.ts';
import type { Trace } from './trace.ts';

const MARKER = /^\[not recorded: \d+ characters\]$/;
const ARGUMENTS_KEY = '[not recorded]';

/** What stands in the place of a text that is not kept: that there was one, and how long it was. */
export function notRecorded(text: string): string {
  return text === '' || MARKER.test(text) ? text : `[not recorded: ${text.length} characters]`;
}

/** The trace with its figures and tool names, and nothing that was said. */
export function traceWithoutText(trace: Trace): Trace {
  return {
    ...trace,
    messages: trace.messages.map(messageWithoutText),
    tool_calls_made: trace.tool_calls_made.map((call) => ({
      ...call,
      arguments: argumentsNotRecorded(call.arguments),
      result: call.result === null ? null : notRecorded(call.result),
    })),
    tool_errors: trace.tool_errors.map((error) => ({ ...error, message: notRecorded(error.message) })),
    final_content: trace.final_content === null ? null : notRecorded(trace.final_content),
  };
}

/** Whether a trace was stored without its texts, so that it can be neither shown nor judged again. */
export function isMetadataOnly(trace: Trace): boolean {
  const texts = trace.messages.map(({ content }) => content ?? '').filter((content) => content !== '');
  return texts.length > 0 && texts.every((content) => MARKER.test(content));
}

function messageWithoutText(message: Message): Message {
  if (message.role !== 'assistant') return { ...message, content: notRecorded(message.content) };
  const { content, tool_calls } = message;
  // What a provider wants back on the next turn is text too.
  return {
    role: 'assistant',
    content: content === null ? null : notRecorded(content),
    tool_calls: tool_calls.map(toolCallWithoutText),
  };
}

function toolCallWithoutText({ raw_arguments, ...call }: ToolCall): ToolCall {
  return {
    ...call,
    arguments: argumentsNotRecorded(call.arguments),
    ...(raw_arguments === undefined ? {} : { raw_arguments: notRecorded(raw_arguments) }),
  };
}

/** Not an empty object, which would say that the tool was called without arguments. */
export function argumentsNotRecorded(args: ToolCall['arguments']): ToolCall['arguments'] {
  const names = Object.keys(args);
  if (names.length === 0 || (names.length === 1 && names[0] === ARGUMENTS_KEY)) return args;
  return { [ARGUMENTS_KEY]: `${JSON.stringify(args).length} characters` };
}
