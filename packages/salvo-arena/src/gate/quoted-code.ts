/**
 * Code as one line of words, so that a quote is found regardless of spaces, quotes, brackets, commas, escapes, and of
 * `=`, `=>` or `:`. Only whole words match: `acl = "public-read"` is not in `"public-read-write"`.
 */
export function codeWords(text: string): string {
  const words = text.replaceAll(/=>|[=:]/g, ' : ').split(/[\s"'`\\,;()[\]{}|>]+/);
  return ` ${words.filter((word) => word !== '' && word !== '-' && !TAGS.has(word)).join(' ')} `;
}

/** People leave them out when they quote a template. */
const TAGS = new Set(['!Sub', '!Ref', '!GetAtt', '!Join']);

/** One line of evidence with its possible readings, the most literal first. */
export interface Quote {
  line: string;
  readings: readonly string[];
  /** It is certainly code, and not a remark about code. */
  isCode: boolean;
}

const MOST_LINES = 200;
const LEFT_OUT = /\.{3}|…|\[snip\]/;
const REMARK =
  /\b(?:missing|absent|omitted|unset|undefined|not (?:set|there|present|defined|configured|specified)|n\/a)\b|^\s*(?:no|without|lacks?)\b/i;
const ASSIGNMENT =
  /([A-Za-z_][\w.-]{0,80})"?\s{0,10}(?:=>?|:)\s{0,10}("[^"\n]{0,200}"|\[[^\]\n]{0,500}\]|[\w.*/$:-]{1,200})/g;

/** The quoted lines of a claim. Lines with only an ellipsis or a closing bracket are skipped. */
export function quotesIn(evidence: string): Quote[] {
  const lines = evidence.replaceAll(/\\n/g, '\n').split(/\r?\n/).slice(0, MOST_LINES);
  return lines
    .flatMap((line) => line.split(LEFT_OUT))
    .map((line) => line.trim())
    .filter((line) => /\w{2}|\*/.test(line) && !/^(?:```|~~~)/.test(line))
    .map((line) => ({ line, readings: readingsOf(line), isCode: isCode(line) }));
}

/** All `name = value` pairs in a text. */
export function assignmentsIn(text: string): { name: string; value: string }[] {
  return [...text.matchAll(ASSIGNMENT)].map(([, name = '', value = '']) => ({ name, value }));
}

function readingsOf(line: string): string[] {
  const spans = [...line.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner);
  const unnumbered = line.replace(/^(?:(?:line|l)\s*)?\d+\s*[:|]\s*/i, '');
  const uncommented = unnumbered.replace(/\s(?:#|\/\/)[\s\S]*/, '').trimEnd();
  const unnamed = uncommented.replace(/^[\w./-]+\.(?:tf|ya?ml|json|template)(?::\d+(?:-\d+)?)?\s*[:-]\s*/i, '');
  return [...new Set([line, unnumbered, uncommented, unnamed, ...(spans.length === 1 ? spans : [])])];
}

function isCode(line: string): boolean {
  if (/^(?:#|\/\/|\/\*)/.test(line) || REMARK.test(line)) return false;
  return /[{}=]|":|^\s*(?:-\s+)*"?[\w:.-]{1,100}"?\s{0,20}:\s{0,20}\S{0,200}$|^(?:resource|data|module|variable)\s+"/.test(
    line,
  );
}
