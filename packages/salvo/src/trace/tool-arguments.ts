import { doubledKey } from '../text/json/doubled-keys.ts';
import { isRecord } from '../text/json/is-record.ts';
import { jsonOrUndefined } from '../text/json/json-in-text.ts';
import { isNestedTooDeeply } from '../text/json/nesting.ts';
import type { ToolCall } from './message.ts';

/**
 * Reads the arguments of a tool call: JSON text, or already an object. Missing arguments are `{}`. A text that has the
 * same key twice in one object is no JSON object: nobody knows which of the two is meant.
 */
export function parseToolArguments(sent: unknown): Pick<ToolCall, 'arguments' | 'raw_arguments'> {
  if (sent === undefined || sent === null || sent === '') return { arguments: {} };
  if (typeof sent !== 'string') {
    return isArguments(sent) ? { arguments: sent } : { arguments: {}, raw_arguments: toolArgumentsText(sent) };
  }
  const value = jsonOrUndefined(sent);
  return isArguments(value) && doubledKey(sent) === null
    ? { arguments: value }
    : { arguments: {}, raw_arguments: sent };
}

function isArguments(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !isNestedTooDeeply(value);
}

export const NESTED_TOO_DEEPLY = '(nested too deeply to show)';

/** A tool call's arguments as JSON. */
export function toolArgumentsText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.stringify ran out of stack.
    return NESTED_TOO_DEEPLY;
  }
}
