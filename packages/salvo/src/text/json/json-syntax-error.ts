import { errorMessage } from '../errors/salvo-error.ts';
/** The syntax error of a JSON text with its offset; null when there is none. */
export function jsonSyntaxError(text: string): { message: string; offset: number } | null {
  const message = parseError(text);
  if (message === null) return null;
  const position = /at position (\d+)/.exec(message)?.[1];
  return {
    // The engine quotes what surrounds the error, which may be long or secret.
    message: message.replace(/,? (?:in JSON )?at position .*|, (?:\.\.\.)?".*| in JSON.*/s, ''),
    offset: position === undefined ? unexpectedTokenOffset(text, message) : Number(position),
  };
}

/** The engine does not say where an unexpected token is: it ends the shortest beginning with that error. */
function unexpectedTokenOffset(text: string, message: string): number {
  if (!isUnexpectedToken(message)) return text.trimEnd().length;
  let low = 1;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isUnexpectedToken(parseError(text.slice(0, middle)))) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

function isUnexpectedToken(message: string | null): boolean {
  return message?.startsWith('Unexpected token') ?? false;
}

function parseError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return errorMessage(error);
  }
}
