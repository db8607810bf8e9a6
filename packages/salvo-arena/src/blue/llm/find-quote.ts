import { memoByKey, plainText } from 'salvo/kit/text';

/** The place of a quote. */
interface QuotePlace {
  file: string;
  line: number;
  end_line: number;
}

/** Finds quotes in files, ignoring blanks and line breaks. */
export type FindQuote = (quote: {
  text: string;
  file?: string | undefined;
  line?: number | undefined;
}) => QuotePlace | null;

/** A shorter quote, or one without a word, is found everywhere: a brace proves nothing. */
const SHORTEST_QUOTE = 4;
const MOST_PLACES = 1000;

/** Looks in the file that is named, or in all when none is. Of several places, the one nearest the line counts. */
export function quoteFinder(files: Readonly<Record<string, string>>): FindQuote {
  const compactOf = memoByKey((file) => compacted(files[file] ?? ''));
  return ({ text, file, line }) => {
    const wanted = compacted(unwrapped(text)).text;
    if (wanted.length < SHORTEST_QUOTE || !/\p{L}{2}/u.test(wanted)) return null;
    const names = file === undefined ? Object.keys(files) : Object.hasOwn(files, file) ? [file] : [];
    for (const name of names) {
      const place = nearest(compactOf(name), wanted, line);
      if (place) return { file: name, ...place };
    }
    return null;
  };
}

/** A text without blanks, and the line of each of its characters. */
interface Compact {
  text: string;
  lineAt: Int32Array;
}

function compacted(text: string): Compact {
  const lines = plainText(text)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ''));
  const joined = lines.join('');
  const lineAt = new Int32Array(joined.length);
  let at = 0;
  for (const [index, line] of lines.entries()) {
    lineAt.fill(index + 1, at, at + line.length);
    at += line.length;
  }
  return { text: joined, lineAt };
}

/** Models put quotes into backticks, and copy the line numbers. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replace(/^```[\w-]*\n?/, '')
    .replace(/\n?```$/, '')
    .replace(/^`([^`]*)`$/s, '$1')
    .replaceAll(/^[ \t]*\d+[ \t]*\|[ \t]?/gm, '');
}

function nearest({ text, lineAt }: Compact, wanted: string, line: number | undefined): Omit<QuotePlace, 'file'> | null {
  let best: Omit<QuotePlace, 'file'> | null = null;
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0 && count < MOST_PLACES; at = text.indexOf(wanted, at + 1)) {
    const place = { line: lineAt[at] ?? 1, end_line: lineAt[at + wanted.length - 1] ?? 1 };
    if (best === null || Math.abs(place.line - (line ?? 0)) < Math.abs(best.line - (line ?? 0))) best = place;
    count += 1;
    if (line === undefined) break;
  }
  return best;
}
