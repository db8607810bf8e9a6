import type { Expression } from './expression.ts';

const STRING = /^"[^"\\$%\r\n]*"$/;
const NUMBER = /^\d+(?:\.\d+)?$/;
const NAMES = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*$/;

/** What most values are: a string, a number, a word or a dotted name. Their text tells it all; null for anything else. */
export function plainExpression(written: Pick<Expression, 'range' | 'text'>): Expression | null {
  const { text } = written;
  if (STRING.test(text)) return { kind: 'literal', value: text.slice(1, -1), heredoc: false, ...written };
  if (NUMBER.test(text)) return { kind: 'literal', value: Number(text), heredoc: false, ...written };
  if (!NAMES.test(text)) return null;
  if (text === 'true' || text === 'false')
    return { kind: 'literal', value: text === 'true', heredoc: false, ...written };
  if (text === 'null') return { kind: 'literal', value: null, heredoc: false, ...written };
  return { kind: 'reference', path: text, steps: text.split('.'), ...written };
}
