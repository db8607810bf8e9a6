/** A cell of a CSV file. */
export interface CsvCell {
  text: string;
  /** Quoted cells are always texts. */
  isQuoted: boolean;
  /** In the text of the file. */
  offset: number;
}

export interface CsvProblem {
  offset: number;
  message: string;
  hint?: string | undefined;
}

/** Records, one by one, as RFC 4180 defines them: quotes, doubled quotes, line breaks in quotes, LF or CRLF. */
export function* readCsv(text: string): Generator<CsvCell[], CsvProblem | null> {
  let at = 0;
  while (at < text.length) {
    const cells: CsvCell[] = [];
    for (;;) {
      const cell = readCell(text, at);
      if ('problem' in cell) return cell.problem;
      cells.push(cell.value);
      at = cell.end;
      if (text[at] !== ',') break;
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const [only] = cells;
    const isBlankLine = cells.length === 1 && only?.text === '' && !only.isQuoted;
    if (!isBlankLine) yield cells;
  }
  return null;
}

type ReadCell = { value: CsvCell; end: number } | { problem: CsvProblem };

function readCell(text: string, offset: number): ReadCell {
  if (text[offset] !== '"') return readPlainCell(text, offset);
  let content = '';
  let at = offset + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { problem: { offset, message: 'this quote is never closed' } };
    content += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      at = quote + 1;
      break;
    }
    content += '"';
    at = quote + 2;
  }
  if (at < text.length && !isEndOfCell(text, at)) {
    const hint = 'write a quote inside of quotes twice: ""';
    return { problem: { offset: at, message: 'a comma or a line break must follow the closing quote', hint } };
  }
  return { value: { text: content, isQuoted: true, offset }, end: at };
}

function readPlainCell(text: string, offset: number): ReadCell {
  let end = offset;
  while (end < text.length && !isEndOfCell(text, end)) {
    if (text[end] === '"') {
      const hint = 'put the whole value in quotes, and write the quote in it twice: ""';
      return { problem: { offset: end, message: 'a quote inside of a value that is not in quotes', hint } };
    }
    end += 1;
  }
  return { value: { text: text.slice(offset, end), isQuoted: false, offset }, end };
}

function isEndOfCell(text: string, at: number): boolean {
  const character = text[at];
  return character === ',' || character === '\n' || (character === '\r' && text[at + 1] === '\n');
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number, true, false or null where the cell is one in JSON and not in quotes; otherwise its text. */
export function cellValue({ text, isQuoted }: CsvCell): unknown {
  if (isQuoted) return text;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!JSON_NUMBER.test(text)) return text;
  const number = Number(text);
  // A long id would lose its last digits.
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : text;
}
