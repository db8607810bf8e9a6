import type { Expression, TextRange, Written } from './expression.ts';

/** `${...}` or `%{...}` in a template. The `range` includes the braces. */
export interface TemplatePart {
  range: TextRange;
  expression: Expression;
}

/** A quoted string: a literal if nothing in it is computed. */
export function quotedExpression(written: Written, computed: readonly TemplatePart[]): Expression {
  const closed = written.text.length > 1 && written.text.endsWith('"');
  const inner = { start: written.range.start + 1, end: written.range.end - (closed ? 1 : 0) };
  return templateOf(written, cut(written, inner, computed), { heredoc: false, plain: unescapeQuoted });
}

/** `<<EOF` or `<<-EOF`, which removes the common indentation of all lines. */
export function heredocExpression(written: Written, computed: readonly TemplatePart[]): Expression {
  const { range, text } = written;
  const first = text.indexOf('\n') + 1;
  const last = text.lastIndexOf('\n') + 1;
  const inner = { start: range.start + first, end: range.start + Math.max(first, last) };
  const pieces = cut(written, inner, computed);
  const flush = text.startsWith('<<-') ? unindent(pieces) : pieces;
  return templateOf(written, flush, { heredoc: true, plain: unescapeMarkers });
}

/** A computed part, or the text between two of them. */
type Piece = { expression: Expression } | { range: TextRange; written: string; literal: string };

function cut({ range, text }: Written, inner: TextRange, computed: readonly TemplatePart[]): Piece[] {
  const pieces: Piece[] = [];
  let at = inner.start;
  const literalTo = (end: number) => {
    if (end <= at) return;
    const written = text.slice(at - range.start, end - range.start);
    pieces.push({ range: { start: at, end }, written, literal: written });
  };
  for (const part of computed) {
    literalTo(part.range.start);
    pieces.push({ expression: part.expression });
    at = part.range.end;
  }
  literalTo(inner.end);
  return pieces;
}

function templateOf(
  written: Written,
  pieces: readonly Piece[],
  { heredoc, plain }: { heredoc: boolean; plain: (text: string) => string },
): Expression {
  const parts = pieces.map((piece): Expression => {
    if ('expression' in piece) return piece.expression;
    return { kind: 'literal', value: plain(piece.literal), heredoc, range: piece.range, text: piece.written };
  });
  if (parts.length === 0) return { kind: 'literal', value: '', heredoc, ...written };
  const [only] = pieces;
  if (pieces.length > 1 || (only && 'expression' in only)) return { kind: 'template', parts, heredoc, ...written };
  return { kind: 'literal', value: only ? plain(only.literal) : '', heredoc, ...written };
}

function unindent(pieces: readonly Piece[]): Piece[] {
  let shared = Number.POSITIVE_INFINITY;
  let atLineStart = true;
  for (const piece of pieces) {
    if ('literal' in piece) {
      const lines = piece.literal.split('\n');
      for (const [index, line] of lines.entries()) {
        const blanks = indentOf(line);
        const isLast = index === lines.length - 1;
        // An empty line does not count for the indentation, but one that continues with `${...}` does.
        const empty = line.slice(blanks).trim() === '' && (!isLast || piece === pieces.at(-1));
        if ((index > 0 || atLineStart) && !empty) shared = Math.min(shared, blanks);
      }
    } else if (atLineStart) shared = 0;
    atLineStart = false;
  }
  if (shared === 0 || shared === Number.POSITIVE_INFINITY) return [...pieces];
  return pieces.map((piece, position) => {
    if (!('literal' in piece)) return piece;
    const lines = piece.literal.split('\n');
    const literal = lines
      .map((line, index) => (index > 0 || position === 0 ? line.slice(Math.min(shared, indentOf(line))) : line))
      .join('\n');
    return { ...piece, literal };
  });
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}

function unescapeMarkers(text: string): string {
  return text.replaceAll('$${', '${').replaceAll('%%{', '%{');
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f' };

/** Includes the escapes of JSON, for the strings of Terraform JSON. */
function unescapeQuoted(text: string): string {
  if (!text.includes('\\')) return unescapeMarkers(text);
  const plain = text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([nrt"\\/bf]))/g,
    (whole, short, long, character) => {
      const code = short ?? long;
      if (code === undefined) return ESCAPES[character] ?? whole;
      const point = Number.parseInt(code, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
  return unescapeMarkers(plain);
}
