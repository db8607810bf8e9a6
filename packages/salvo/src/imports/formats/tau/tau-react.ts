import { isRecord } from '../../../text/json/is-record.ts';
import { parseJson } from '../../../text/json/json-in-text.ts';

const ACTION = 'Action:';
const OUTPUT = 'API output: ';
/** The action that is an answer to the user. */
const RESPOND = 'respond';

/**
 * Two agents of tau-bench write their calls as text: "Thought: ... Action: {name, arguments}", and get the result as a message
 * of the user that begins with "API output: ". These are calls and results like any other. The list stays as long as it is.
 */
export function withReActCalls(messages: readonly unknown[]): unknown[] {
  let isCalled = false;
  return messages.map((message) => {
    if (!isRecord(message)) return message;
    const { role, content } = message;
    const isResult = isCalled && role === 'user' && typeof content === 'string' && content.startsWith(OUTPUT);
    isCalled = false;
    if (isResult) return { ...message, role: 'tool', content: content.slice(OUTPUT.length) };
    const step = role === 'assistant' && !hasCalls(message) ? stepIn(content) : undefined;
    if (!step) return message;
    if (step.name === RESPOND) return { ...message, content: step.answer, reasoning: step.thought };
    isCalled = true;
    return { ...message, content: null, reasoning: step.thought, tool_calls: [step] };
  });
}

function hasCalls({ tool_calls, function_call }: Record<string, unknown>): boolean {
  return isRecord(function_call) || (Array.isArray(tool_calls) && tool_calls.length > 0);
}

function stepIn(content: unknown) {
  if (typeof content !== 'string') return undefined;
  const start = content.lastIndexOf(ACTION);
  if (start === -1) return undefined;
  const action = parseJson(content.slice(start + ACTION.length).trim());
  if (!isRecord(action) || typeof action.name !== 'string' || !isRecord(action.arguments)) return undefined;
  const { content: answer } = action.arguments;
  if (action.name === RESPOND && typeof answer !== 'string') return undefined;
  const thought = content
    .slice(0, start)
    .replace(/^\s*Thought:/, '')
    .trim();
  return { name: action.name, arguments: action.arguments, answer, thought: thought === '' ? undefined : thought };
}
