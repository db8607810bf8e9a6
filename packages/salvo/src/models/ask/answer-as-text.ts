import type { AdapterTurnResult } from '../../adapters/adapter.ts';

/** A longer answer is cut: it is only quoted back to the model, which is paid for again. */
const LONGEST_ANSWER = 20_000;

/** The answer as text, tool calls included: a provider refuses a conversation with a tool call that has no result. */
export function answerAsText({ content, tool_calls }: AdapterTurnResult): string {
  const calls = tool_calls.map(
    ({ name, arguments: args, raw_arguments }) => `${name}(${raw_arguments ?? toolArgumentsText(args)})`,
  );
  return [content ?? '', ...calls].join('\n').trim().slice(0, LONGEST_ANSWER);
}

export const NESTED_TOO_DEEPLY = '(nested too deeply to show)';

/** A tool call's arguments as JSON. */
export function toolArgumentsText(args: Record<string, unknown>): string {
  try {
    return JSON.stringify(args);
  } catch {
    // JSON.stringify ran out of stack.
    return NESTED_TOO_DEEPLY;
  }
}
