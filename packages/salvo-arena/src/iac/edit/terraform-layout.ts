import { endOfHeredoc } from '../syntax/terraform-mask.ts';

/**
 * Terraform code with the line layout that `terraform fmt` leaves as it is: indentation by brackets, and the equals
 * signs and end-of-line comments of neighbouring lines below each other. Empty lines next to a bracket, which edits leave
 * behind, are removed. Blanks inside a line are not changed.
 */
export function terraformLayout(text: string): string {
  const lines = withoutNeedlessGaps(codeLines(text));
  indentLines(lines);
  alignColumns(lines, 'assigned');
  alignColumns(lines, 'comment');
  const written = lines.map(({ indent, code, assigned, comment, rest }) =>
    code === '' && comment === '' ? '' : `${' '.repeat(indent)}${code}${assigned}${comment}${rest}`,
  );
  return written.length === 0 ? '' : `${written.join('\n').trimEnd()}\n`;
}

/** One line in its parts. A heredoc belongs to the line in which it begins. */
interface CodeLine {
  indent: number;
  code: string;
  /** From the equals sign on, if the value ends on this line; otherwise it is a part of `code`. */
  assigned: string;
  comment: string;
  /** The other lines of a heredoc, which are not changed. */
  rest: string;
  /** Brackets opened minus brackets closed. */
  opened: number;
}

function codeLines(text: string): CodeLine[] {
  const lines: CodeLine[] = [];
  for (let at = 0; at < text.length; ) {
    const { line, end } = readLine(text, at);
    lines.push(line);
    at = end + 1;
  }
  return lines;
}

/** The line at an offset, and where its line break is. */
function readLine(text: string, from: number): { line: CodeLine; end: number } {
  const first = text.indexOf('\n', from);
  const end = first < 0 ? text.length : first;
  const raw = text.slice(from, end).trim();
  const { equals, comment, opened, openedAfter, heredoc } = scan(raw);
  const code = raw.slice(0, comment).trimEnd();
  const isAssigned = equals > 0 && openedAfter === 0;
  const close = heredoc === null ? end : (endOfHeredoc(text, end + 1, heredoc)?.end ?? text.length);
  return {
    line: {
      indent: 0,
      code: isAssigned ? code.slice(0, equals).trimEnd() : code,
      assigned: isAssigned ? code.slice(equals) : '',
      comment: raw.slice(comment),
      rest: text.slice(end, close),
      opened,
    },
    end: close,
  };
}

interface Scan {
  /** Where the first equals sign is, or -1. */
  equals: number;
  /** Where the comment begins; the length of the line if it has none. */
  comment: number;
  opened: number;
  /** The brackets from the equals sign on. */
  openedAfter: number;
  /** The word that ends the heredoc that begins here. */
  heredoc: string | null;
}

function scan(line: string): Scan {
  const found: Scan = { equals: -1, comment: line.length, opened: 0, openedAfter: 0, heredoc: null };
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (char === '"') at = stringEnd(line, at);
    else if (char === '#' || line.startsWith('//', at)) return { ...found, comment: at };
    else if (line.startsWith('<<', at)) {
      const word = /^<<-?(\w+)$/.exec(line.slice(at))?.[1];
      if (word !== undefined) return { ...found, heredoc: word };
    } else if (found.equals < 0 && isAssignment(line, at)) found.equals = at;
    const change = '{[('.includes(char) ? 1 : '}])'.includes(char) ? -1 : 0;
    found.opened += change;
    if (found.equals >= 0) found.openedAfter += change;
  }
  return found;
}

/** `=` alone, which is not a part of `==`, `=>`, `!=`, `<=` or `>=`. */
function isAssignment(line: string, at: number): boolean {
  return line[at] === '=' && !/[=!<>]/.test(line[at - 1] ?? '') && !/[=>]/.test(line[at + 1] ?? '');
}

/** Where the closing quote is. A template in the string may have strings of its own. */
function stringEnd(line: string, from: number): number {
  let depth = 0;
  for (let at = from + 1; at < line.length; at += 1) {
    const char = line[at];
    if (depth === 0 && char === '\\') at += 1;
    else if (depth === 0 && char === '"') return at;
    else if (/^[$%]\{/.test(line.slice(at, at + 2)) && !/[$%]/.test(line[at - 1] ?? '')) {
      depth += 1;
      at += 1;
    } else if (depth > 0 && char === '{') depth += 1;
    else if (depth > 0 && char === '}') depth -= 1;
    else if (depth > 0 && char === '"') at = stringEnd(line, at);
  }
  return line.length;
}

function withoutNeedlessGaps(lines: readonly CodeLine[]): CodeLine[] {
  const kept: CodeLine[] = [];
  for (const line of lines) {
    const before = kept.at(-1);
    if (isEmpty(line) && (!before || isEmpty(before) || before.opened > 0)) continue;
    if (before && isEmpty(before) && /^[}\])]/.test(line.code)) kept.pop();
    kept.push(line);
  }
  const last = kept.at(-1);
  return last && isEmpty(last) ? kept.slice(0, -1) : kept;
}

function isEmpty({ code, assigned, comment }: CodeLine): boolean {
  return code + assigned + comment === '';
}

/** All brackets that one line opens are one level. */
function indentLines(lines: CodeLine[]): void {
  const levels: number[] = [];
  for (const line of lines) {
    let closed = Math.max(0, -line.opened);
    while (closed > 0 && levels.length > 0) {
      const last = levels.pop() ?? 0;
      if (last > closed) levels.push(last - closed);
      closed = Math.max(0, closed - last);
    }
    line.indent = 2 * levels.length;
    if (line.opened > 0) levels.push(line.opened);
  }
}

/** Moves the parts of neighbouring lines that all have this part to the same column. */
function alignColumns(lines: CodeLine[], part: 'assigned' | 'comment'): void {
  const before = ({ indent, code, assigned }: CodeLine) =>
    indent + code.length + (part === 'comment' ? assigned.length : 0);
  // A comment alone on its line has no column.
  const hasPart = (line: CodeLine) => line[part] !== '' && line.code !== '';
  let group: CodeLine[] = [];
  const alignGroup = () => {
    const column = group.reduce((widest, line) => Math.max(widest, before(line)), 0) + 1;
    for (const line of group) line[part] = `${' '.repeat(column - before(line))}${line[part]}`;
    group = [];
  };
  for (const line of lines) {
    if (hasPart(line)) group.push(line);
    else alignGroup();
  }
  alignGroup();
}
