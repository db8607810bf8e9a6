import { type Document, type ErrorCode, isScalar, visit, type YAMLError } from 'yaml';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { parseYaml } from '../../text/parse-yaml.ts';
import type { SourceText } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticAt, type ProblemText } from '../diagnostics/problem.ts';

/** More than any scenario needs, and safe for every recursive function that walks the value. */
export const MAX_DEPTH = 100;

/** For a file and all that it includes. A long string is one lexeme; a megabyte of commas would take ten seconds. */
export const MAX_LEXEMES = 100_000;

/** How many lexemes may still be read. */
export interface LexemeBudget {
  left: number;
}

type Contents = Document.Parsed['contents'];

export interface YamlTree {
  /** Null when there are syntax errors. */
  contents: Contents;
  diagnostics: Diagnostic[];
}

/** The syntax tree of a YAML (or JSON) file, and all its syntax errors. */
export function parseYamlTree(source: SourceText, budget: LexemeBudget): YamlTree {
  const { documents, diagnostics } = parseYamlTrees(source, budget);
  const [first = null, second] = documents;
  if (!second) return { contents: first, diagnostics };
  const start = second.range[0];
  const message = 'a file holds one YAML document, and this one has several';
  const hint = 'put each into a file of its own; only scenarios may be several in a file';
  const problem = diagnosticAt({ source, start, end: start }, { code: 'multiple-documents', message, hint });
  return { contents: null, diagnostics: [...diagnostics, problem] };
}

/** The same for a file that may have several documents. Those without content are left out. */
export function parseYamlTrees(
  source: SourceText,
  budget: LexemeBudget,
): { documents: NonNullable<Contents>[]; diagnostics: Diagnostic[] } {
  const isJson = source.file.endsWith('.json');
  const problem = isJson ? jsonProblem(source) : controlCharacter(source);
  if (problem) return { documents: [], diagnostics: [problem] };
  // JSON may be indented with tabs, YAML may not. A JSON string contains no raw tab, so replacing tabs is safe.
  const text = isJson ? source.text.replaceAll('\t', ' ') : source.text;
  const parsed = parseYaml(text, { maxDepth: MAX_DEPTH, maxLexemes: budget.left });
  budget.left -= parsed.lexemes;
  if ('exceeded' in parsed) {
    const start = Math.max(0, parsed.offset - 1);
    const limit = parsed.exceeded === 'depth' ? TOO_DEEP : TOO_MANY_LEXEMES;
    return { documents: [], diagnostics: [diagnosticAt({ source, start, end: start + 1 }, limit)] };
  }
  const diagnostics = parsed.documents.flatMap((document) => yamlErrors(document, source));
  if (diagnostics.length > 0) return { documents: [], diagnostics };
  const isEmpty = (contents: Contents) => contents === null || (isScalar(contents) && contents.source === '');
  return {
    documents: parsed.documents.flatMap(({ contents }) => (contents && !isEmpty(contents) ? [contents] : [])),
    diagnostics,
  };
}

export const TOO_DEEP: ProblemText = {
  code: 'too-deep',
  message: `values are nested more than ${MAX_DEPTH} levels deep`,
};

const TOO_MANY_LEXEMES: ProblemText = {
  code: 'too-large',
  message: `up to here, the file and its includes have more than ${MAX_LEXEMES} values, punctuation characters and line breaks`,
  hint: 'split it into several scenarios, or include a long text as a text: !include text.md',
};

function controlCharacter(source: SourceText): Diagnostic | null {
  const start = source.text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (start < 0) return null;
  const code = source.text.charCodeAt(start).toString(16).padStart(4, '0');
  const message = `YAML cannot contain the control character U+${code.toUpperCase()}`;
  const hint = `write it as "\\u${code}" in double quotes`;
  return diagnosticAt({ source, start, end: start + 1 }, { code: 'control-character', message, hint });
}

function jsonProblem(source: SourceText): Diagnostic | null {
  const error = jsonSyntaxError(source.text);
  if (!error) return null;
  const span = { source, start: error.offset, end: error.offset + 1 };
  return diagnosticAt(span, { code: 'yaml-syntax', message: `not valid JSON: ${error.message}` });
}

const MOST_LISTED = 50;

/** The parser's errors, worded for authors of scenarios, one for each mistake. */
function yamlErrors(document: Document.Parsed, source: SourceText): Diagnostic[] {
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
