import type { AdapterTurnResult } from '../adapters/adapter.ts';
import { toolArgumentsText } from './tool-arguments-text.ts';

/** Nobody reads on, and it would be paid for again. */
const LONGEST_ANSWER = 20_000;

/** The answer as text, tool calls included: a provider would refuse a tool call that nothing answers. */
export function spokenAnswer({ content, tool_calls }: AdapterTurnResult): string {
  const calls = tool_calls.map(
    ({ name, arguments: args, raw_arguments }) => `${name}(${raw_arguments ?? toolArgumentsText(args)})`,
  );
  return [content ?? '', ...calls].join('\n').trim().slice(0, LONGEST_ANSWER);
}
