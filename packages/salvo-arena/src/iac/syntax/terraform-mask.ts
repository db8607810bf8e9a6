import type { TextRange } from './expression.ts';

/** The head of a heredoc up to the end of its line. */
const HEREDOC = /<<-?([A-Za-z_][\w-]*)[ \t]*\r?\n/g;
const EXPONENT = /\b\d+[eE][-+]?\d+\b/g;

/**
 * A text of the same length for the grammar, without two things that Terraform accepts and the grammar does not:
 * backslashes in heredocs, where they mean nothing, and numbers such as 1e3. Values are read from the original text.
 */
export function maskTerraform(text: string): string {
  const numbers = text.replaceAll(EXPONENT, (number) => number.replaceAll(/\D/g, '0'));
  if (!numbers.includes('\\') || !numbers.includes('<<')) return numbers;
  let masked = '';
  let at = 0;
  HEREDOC.lastIndex = 0;
  for (let head = HEREDOC.exec(numbers); head; head = HEREDOC.exec(numbers)) {
    const start = HEREDOC.lastIndex;
    const end = endOfHeredoc(numbers, start, head[1] ?? '')?.start;
    if (end === undefined) continue;
    masked += numbers.slice(at, start) + maskBody(numbers.slice(start, end));
    at = end;
    HEREDOC.lastIndex = end;
  }
  return masked + numbers.slice(at);
}

/** The line that consists only of the name, from its first character to its end; null if there is none. */
export function endOfHeredoc(text: string, start: number, name: string): TextRange | null {
  for (let line = start; line < text.length; ) {
    const next = text.indexOf('\n', line);
    const end = next < 0 ? text.length : next;
    if (text.slice(line, end).trim() === name) return { start: line, end };
    line = end + 1;
  }
  return null;
}

/** Backslashes inside of `${...}` belong to strings, and stay. */
function maskBody(body: string): string {
  if (!body.includes('\\')) return body;
  let masked = '';
  let depth = 0;
  for (let index = 0; index < body.length; index += 1) {
    const character = body[index] ?? '';
    const opens = character === '{' && (depth > 0 || isMarker(body, index - 1));
    if (opens) depth += 1;
    else if (character === '}' && depth > 0) depth -= 1;
    masked += character === '\\' && depth === 0 ? '_' : character;
  }
  return masked;
}

/** `${` and `%{`, but not `$${` and `%%{`, which are escapes. */
function isMarker(body: string, index: number): boolean {
  const character = body[index];
  return (character === '$' || character === '%') && body[index - 1] !== character;
}
