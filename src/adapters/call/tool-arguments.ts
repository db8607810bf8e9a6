import { isRecord } from '../../text/is-record.ts';
import { isNestedTooDeeply } from '../../text/nesting.ts';

interface ParsedArguments {
  arguments: Record<string, unknown>;
  /** What the model sent, when it was not a JSON object. */
  raw_arguments?: string;
}

/** Reads a tool call's arguments as a model wrote them: JSON text, or already an object. Nothing at all is `{}`. */
export function parseToolArguments(sent: unknown): ParsedArguments {
  if (sent === undefined || sent === null || sent === '') return { arguments: {} };
  if (typeof sent !== 'string') {
    return isArguments(sent) ? { arguments: sent } : { arguments: {}, raw_arguments: textOf(sent) };
  }
  const value = parseJson(sent);
  return isArguments(value) ? { arguments: value } : { arguments: {}, raw_arguments: sent };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isArguments(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !isNestedTooDeeply(value);
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.stringify ran out of stack.
    return '(nested too deeply to show)';
  }
}
