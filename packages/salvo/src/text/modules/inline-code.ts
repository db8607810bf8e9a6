import { Script } from 'node:vm';
import type { Command } from './permitted-code.ts';

/** JavaScript that a file has as a text, ready to be executed: the source of a function of `output` and `context`. */
export interface InlineCode {
  source: string;
  /** A body whose `return` is missing gives nothing. */
  lacksReturn: boolean;
}

export class InlineCodeError extends SyntaxError {
  /** Where in the code, in characters from 0. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** In stacks of errors. */
export const INLINE_FILE = 'javascript';

// The code begins a line of its own, so that lines and columns of errors are those of the code. A comment at its end ends
// with the line.
const FORMS = [
  { kind: 'expression', open: '(async (output, context) => (\n', close: '\n))' },
  { kind: 'body', open: '(async (output, context) => {\n', close: '\n})' },
] as const;

/** Reads code without executing it: an expression, which may be a function, or the body of one. Throws an `InlineCodeError`. */
export function readInlineCode(code: string): InlineCode {
  const errors: InlineCodeError[] = [];
  for (const { kind, open, close } of FORMS) {
    const source = `${open}${kind === 'expression' ? withoutSemicolon(code) : code}${close}`;
    const error = syntaxError(source, code);
    if (error === null) return { source, lacksReturn: kind === 'body' && !/\breturn\b/.test(code) };
    errors.push(error);
  }
  // The form that was meant is the one that could be read further.
  const [expression, body] = errors;
  throw body && expression && body.offset > expression.offset ? body : (expression ?? body);
}

/** A semicolon ends a statement, and no expression. */
function withoutSemicolon(code: string): string {
  const trimmed = code.trimEnd();
  return trimmed.endsWith(';') ? trimmed.slice(0, -1) : code;
}

function syntaxError(source: string, code: string): InlineCodeError | null {
  try {
    new Script(source, { filename: INLINE_FILE, lineOffset: -1 });
    return null;
  } catch (error) {
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const [place = '', , carets = ''] = stack.split('\n');
    const line = Number(/:(\d+)$/.exec(place)?.[1] ?? 1);
    const lines = code.split('\n');
    const isAfter = line > lines.length;
    const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const column = Math.max(0, carets.indexOf('^'));
    return new InlineCodeError(isAfter ? 'it ends too early' : message, isAfter ? code.length : before + column);
  }
}

/**
 * How such code is permitted: as a program whose argument it is, so that a permission is for this text alone. `folder` is
 * that of the scenario.
 */
export function inlineCommand(code: string, folder: string): Command {
  return { command: [INLINE_FILE, code], cwd: folder, env: [] };
}
