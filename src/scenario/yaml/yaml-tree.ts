import { Composer, type CST, type Document, Lexer, Parser } from 'yaml';
import { jsonSyntaxError } from '../../text/json-syntax-error.ts';
import type { SourceText } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticAt } from '../diagnostics/problem.ts';
import { yamlErrors } from './yaml-errors.ts';

/** More than any scenario needs, and few enough for every recursive function that sees the value. */
export const MAX_DEPTH = 100;

/**
 * The smallest pieces a file and all it includes may have: signs, words, line breaks. The time for a file grows with
 * them, not with its bytes: a long text is one piece, while a megabyte of commas would take ten seconds.
 */
export const MAX_PIECES = 100_000;

/** How many pieces there may still be. */
export interface PieceBudget {
  left: number;
}

export interface YamlTree {
  /** Null when it makes no sense to look at the contents. */
  contents: Document.Parsed['contents'];
  diagnostics: Diagnostic[];
}

/** The syntax tree of a YAML (or JSON) file, and all its syntax errors. */
export function parseYamlTree(source: SourceText, budget: PieceBudget): YamlTree {
  const problem = source.file.endsWith('.json') ? jsonProblem(source) : controlCharacter(source);
  if (problem) return { contents: null, diagnostics: [problem] };
  const tokens = tokensOf(source, budget);
  if (!Array.isArray(tokens)) return { contents: null, diagnostics: [tokens] };

  // Duplicate keys are found later, in linear time; the library's own check is quadratic.
  const composer = new Composer({ schema: 'core', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false });
  const [document, second] = [...composer.compose(tokens, true, source.text.length)];
  if (!document) return { contents: null, diagnostics: [] };
  const diagnostics = yamlErrors(document, source);
  if (second) {
    const start = second.range[0];
    diagnostics.push(
      diagnosticAt(
        { source, start, end: start },
        {
          code: 'multiple-documents',
          message: 'a file holds one YAML document, and this one has several',
          hint: 'put each into a file of its own; "---" is allowed at the very beginning only',
        },
      ),
    );
  }
  return { contents: diagnostics.length > 0 ? null : document.contents, diagnostics };
}

/** Watches the parser's own stack, because composing what is nested too deeply would exhaust ours. */
function tokensOf(source: SourceText, budget: PieceBudget): CST.Token[] | Diagnostic {
  // Tabs may indent JSON but not YAML; a tab cannot be part of a JSON text, so a blank changes nothing.
  const text = source.file.endsWith('.json') ? source.text.replaceAll('\t', ' ') : source.text;
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const here = () => {
    const start = Math.max(0, Math.min(parser.offset, text.length) - 1);
    return { source, start, end: start + 1 };
  };
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_DEPTH + 2) return diagnosticAt(here(), tooDeep());
    budget.left -= 1;
    if (budget.left < 0) return diagnosticAt(here(), tooManyPieces());
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

export function tooDeep() {
  return { code: 'too-deep', message: `values are nested more than ${MAX_DEPTH} levels deep` } as const;
}

function tooManyPieces() {
  return {
    code: 'too-large',
    message: `the file and what it includes have more than ${MAX_PIECES} values, signs and line breaks up to here`,
    hint: 'split it into several scenarios, or include a long text as a text: !include text.md',
  } as const;
}

function controlCharacter(source: SourceText): Diagnostic | null {
  const start = source.text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
  if (start < 0) return null;
  const code = source.text.charCodeAt(start).toString(16).padStart(4, '0');
  return diagnosticAt(
    { source, start, end: start + 1 },
    {
      code: 'control-character',
      message: `the control character U+${code.toUpperCase()} cannot stand in YAML`,
      hint: `write it as "\\u${code}" in double quotes`,
    },
  );
}

function jsonProblem(source: SourceText): Diagnostic | null {
  const error = jsonSyntaxError(source.text);
  if (!error) return null;
  const span = { source, start: error.offset, end: error.offset + 1 };
  return diagnosticAt(span, { code: 'yaml-syntax', message: `not valid JSON: ${error.message}` });
}
