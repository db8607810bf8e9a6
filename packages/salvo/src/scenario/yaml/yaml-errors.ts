import { type Document, type ErrorCode, isScalar, visit, type YAMLError } from 'yaml';
import type { SourceText } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticAt } from '../diagnostics/problem.ts';

const MOST_LISTED = 50;

/** The parser's errors, worded for authors of scenarios, one for each mistake. */
export function yamlErrors(document: Document.Parsed, source: SourceText): Diagnostic[] {
  // For a misplaced nested map the parser reports a second error, a key over several lines.
  const nested = new Set(
    document.errors.filter(({ code }) => code === 'BLOCK_AS_IMPLICIT_KEY').map(({ pos }) => pos[0]),
  );
  return document.errors
    .filter(({ code, pos }) => code !== 'MULTILINE_IMPLICIT_KEY' || !nested.has(pos[0]))
    .slice(0, MOST_LISTED)
    .map((error) => {
      const [start, end] = isOpenQuote(error) ? openQuote(document, error.pos[0]) : error.pos;
      const message = MESSAGES[error.code] ?? error.message.replace('"quote', 'quote').replace("'quote", 'quote');
      return diagnosticAt({ source, start, end }, { code: 'yaml-syntax', message, hint: HINTS[error.code] });
    });
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'a map cannot begin inside a value',
};

const HINTS: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'put a text that contains ": " in quotes; or the next line is indented too far',
  BAD_SCALAR_START: 'put the text in quotes',
  TAB_AS_INDENT: 'indent with blanks',
  BAD_DQ_ESCAPE: 'write \\\\ for a backslash, or put the text in single quotes',
};

function isOpenQuote({ code, message }: YAMLError): boolean {
  return code === 'MISSING_CHAR' && /^Missing closing .quote/.test(message);
}

/** The parser reports a missing quote at the end of the file; the useful position is the opening quote. */
function openQuote(document: Document.Parsed, end: number): [number, number] {
  let opened = end;
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && node.range && node.type?.startsWith('QUOTE') && node.range[1] >= end)
        opened = node.range[0];
    },
  });
  return [opened, opened + 1];
}
