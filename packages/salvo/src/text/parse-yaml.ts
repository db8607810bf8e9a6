import { Composer, type CST, type Document, Lexer, Parser } from 'yaml';

export interface YamlLimits {
  maxDepth: number;
  /** Words, punctuation characters and line breaks. Parsing time grows with these, not with bytes. */
  maxLexemes: number;
}

export interface ParsedYaml {
  /** None when the text is empty. */
  documents: Document.Parsed[];
  comments: { start: number; end: number }[];
  lexemes: number;
}

export interface YamlLimitExceeded {
  exceeded: 'depth' | 'lexemes';
  offset: number;
  /** Read until then. */
  lexemes: number;
}

/** The lexer puts this before a scalar. It distinguishes a scalar that begins with # from a comment. */
const SCALAR_MARK = '\u001f';

/**
 * Parses YAML within limits, so that no input exhausts the stack or takes minutes. The documents have the library's own
 * errors; tags are not resolved, and duplicate keys are left to the caller.
 */
export function parseYaml(text: string, limits: YamlLimits): ParsedYaml | YamlLimitExceeded {
  const read = readTokens(text, limits);
  if ('exceeded' in read) return read;
  const { tokens, ...rest } = read;
  // The library's own check of duplicate keys takes quadratic time.
  const composer = new Composer({ schema: 'core', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false });
  return { documents: [...composer.compose(tokens, true, text.length)], ...rest };
}

interface Tokens extends Pick<ParsedYaml, 'comments' | 'lexemes'> {
  tokens: CST.Token[];
}

/** Checks the depth of the parser's own stack, because composing a deeper document would exhaust ours. */
function readTokens(text: string, { maxDepth, maxLexemes }: YamlLimits): Tokens | YamlLimitExceeded {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const comments: ParsedYaml['comments'] = [];
  let lexemes = 0;
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && before !== SCALAR_MARK) {
      comments.push({ start: parser.offset, end: parser.offset + lexeme.length });
    }
    before = lexeme;
    for (const token of parser.next(lexeme)) tokens.push(token);
    lexemes += 1;
    const offset = Math.min(parser.offset, text.length);
    if (parser.stack.length > maxDepth + 2) return { exceeded: 'depth', offset, lexemes };
    if (lexemes > maxLexemes) return { exceeded: 'lexemes', offset, lexemes };
  }
  for (const token of parser.end()) tokens.push(token);
  return { tokens, comments, lexemes };
}
