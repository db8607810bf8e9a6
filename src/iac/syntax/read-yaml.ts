import { Composer, type CST, type Document, Lexer, Parser } from 'yaml';
import { type DataDocument, MAX_DATA_DEPTH } from './data-node.ts';
import type { TextRange } from './expression.ts';
import { yamlNodes } from './yaml-nodes.ts';

/** Signs, words and line breaks; the time for a file grows with these. Some 5 MB of an ordinary template. */
const MAX_PIECES = 1_600_000;
const MOST_PROBLEMS = 20;
/** What the lexer puts before a scalar, so that a scalar that begins with # is told from a comment. */
const SCALAR_MARK = '\u001f';

/** Reads YAML with the position of every value. Never throws: what is wrong or too much is listed in `problems`. */
export function readYaml(text: string): DataDocument {
  const read = tokensOf(text);
  if ('message' in read) return { root: null, comments: [], problems: [read] };
  const { tokens, comments } = read;
  // Duplicate keys are found later, in linear time; the library's own check is quadratic.
  const composer = new Composer({ schema: 'core', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false });
  const documents: Document.Parsed[] = [];
  for (const document of composer.compose(tokens, true, text.length)) {
    if (documents.length < 2) documents.push(document);
  }
  const [first, second] = documents;
  if (!first) return { root: null, comments, problems: [{ offset: 0, message: 'the file is empty' }] };
  const problems = first.errors
    .slice(0, MOST_PROBLEMS)
    .map(({ pos, message }) => ({ offset: pos[0], message: message.replaceAll(/\s+/g, ' ') }));
  const root = yamlNodes(text, first.contents, problems);
  if (second) problems.push({ offset: second.range[0], message: 'only the first document of this file is read' });
  return { root, comments, problems };
}

interface Tokens {
  tokens: CST.Token[];
  comments: TextRange[];
}

/** Watches the parser's own stack, because composing what is nested too deeply would exhaust ours. */
function tokensOf(text: string): Tokens | { offset: number; message: string } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const comments: TextRange[] = [];
  let pieces = 0;
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && before !== SCALAR_MARK) {
      comments.push({ start: parser.offset, end: parser.offset + lexeme.length });
    }
    before = lexeme;
    for (const token of parser.next(lexeme)) tokens.push(token);
    pieces += 1;
    const offset = Math.min(parser.offset, text.length);
    if (parser.stack.length > MAX_DATA_DEPTH + 2) {
      return { offset, message: `values are nested more than ${MAX_DATA_DEPTH} levels deep` };
    }
    if (pieces > MAX_PIECES) return { offset, message: `the file has more than ${MAX_PIECES} values and signs` };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, comments };
}
