import { once, textLines } from 'salvo/kit/text';
import type { Parser } from 'web-tree-sitter';
import type { Expression, TextRange } from './expression.ts';
import { linesOf } from './placed-syntax.ts';
import { type PartBody, readTerraformPart, splitBrokenTerraform } from './read-terraform-part.ts';
import { emptySource, type SourceFile } from './source-file.ts';
import { parseTerraformJson } from './terraform-json.ts';
import { maskTerraform } from './terraform-mask.ts';

/**
 * Parses Terraform: `.tf`, `.tfvars`, and both in JSON if the name ends with `.json`. Never throws: errors are listed
 * in `problems`.
 */
export interface TerraformParser {
  parse(file: string, text: string): SourceFile;
}

/** Further problems are dropped. */
const MOST_PROBLEMS = 100;

/** After more problems, the rest of a file is not parsed. */
const MOST_BROKEN = 2000;

/** Loads the grammar once per process. Parsing itself is synchronous. */
export const loadTerraformParser = once(async (): Promise<TerraformParser> => {
  const [{ Parser, Language }, { runtime, grammar }] = await Promise.all([
    import('web-tree-sitter'),
    import('./terraform-grammar.ts'),
  ]);
  await Parser.init({ wasmBinary: runtime() });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar()));
  return {
    parse: (file, text) =>
      file.toLowerCase().endsWith('.json') ? parseJson(parser, file, text) : parseHcl(parser, file, text),
  };
});

function parseHcl(parser: Parser, file: string, text: string): SourceFile {
  const source = emptySource({ file, text, language: 'terraform', syntax: 'hcl' });
  if (isGarbage(text)) {
    const message = 'this is no Terraform: it has thousands of special characters in a row';
    return { ...source, problems: [{ line: 1, column: 1, message }] };
  }
  const reading = { parser, text, masked: maskTerraform(text), lines: textLines(text), problems: source.problems };
  // The grammar does not know the byte order mark.
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const part = { start, end: text.length, head: null, bodyStart: start };
  const parts = splitBrokenTerraform(text, start);
  const whole = readTerraformPart({ ...reading, part, wanted: parts.length > 1 ? 'intact' : 'any' });
  if (whole) add(source, whole);
  else {
    for (const each of parts) {
      if (source.problems.length > MOST_BROKEN) break;
      add(source, readTerraformPart({ ...reading, part: each, wanted: 'any' }));
    }
  }
  source.problems = source.problems.sort((a, b) => a.line - b.line || a.column - b.column).slice(0, MOST_PROBLEMS);
  return source;
}

function add(source: SourceFile, body: PartBody | null): void {
  if (!body) return;
  for (const attribute of body.attributes) source.attributes.push(attribute);
  for (const block of body.blocks) source.blocks.push(block);
  for (const comment of body.comments) source.comments.push(comment);
}

function parseJson(parser: Parser, file: string, text: string): SourceFile {
  const lines = textLines(text);
  const reading = { parser, problems: [], wanted: 'intact' as const };
  return parseTerraformJson(file, text, (written, value) => {
    const { range } = written;
    // A JSON string is also an HCL string, unless a computed part of it has escapes: `"${jsonencode({\"a\" = 1})}"`.
    const quoted = { ...range, head: null, bodyStart: range.start };
    const asQuoted = readTerraformPart({ ...reading, text, masked: text, lines, part: quoted, prefix: 'a=' });
    if (asQuoted?.attributes[0]) return asQuoted.attributes[0].value;
    const code = heredocOf(value) ?? '';
    const whole = { start: 0, end: code.length, head: null, bodyStart: 0 };
    const masked = maskTerraform(code);
    const asHeredoc = readTerraformPart({ ...reading, text: code, masked, lines: textLines(code), part: whole });
    const heredoc = asHeredoc?.attributes[0]?.value;
    return heredoc ? jsonStringExpression(heredoc, { range, ...linesOf(lines, range) }) : { kind: 'other', ...written };
  });
}

/** Where the JSON string is, of which all parts get the place, because escapes make their own places differ. */
interface Place {
  range: TextRange;
  line: number;
  end_line: number;
}

const END = 'END_OF_JSON_STRING';

/** A decoded JSON string as the heredoc of an attribute; null if it has the word that ends it. */
function heredocOf(value: string): string | null {
  return value.includes(END) ? null : `a = <<${END}\n${value}\n${END}\n`;
}

/** The expression of a JSON string, from that of its heredoc. */
function jsonStringExpression(heredoc: Expression, place: Place): Expression {
  moveTo(place, heredoc);
  if (heredoc.kind !== 'template') return heredoc;
  const last = heredoc.parts.at(-1);
  const isBreak = last?.kind === 'literal' && typeof last.value === 'string' && last.value.endsWith('\n');
  const text = isBreak ? String(last.value).slice(0, -1) : '';
  const end: Expression[] = isBreak && text !== '' ? [{ ...last, value: text }] : [];
  const parts = isBreak ? [...heredoc.parts.slice(0, -1), ...end] : heredoc.parts;
  return { ...heredoc, heredoc: false, parts };
}

/** Changes the places in the expression itself, which was read only for this string. */
function moveTo(place: Place, part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const inner of Object.values(part)) moveTo(place, inner);
  if ('nameRange' in part) Object.assign(part, place, { nameRange: place.range, valueRange: place.range });
  else if ('range' in part) part.range = place.range;
}

/** Longer than any ruler in a comment or nesting of brackets. The grammar takes seconds for a megabyte of them. */
const LONGEST_RUN = 5000;

/** Whether a text has a very long run of special characters, without any letter or digit. */
function isGarbage(text: string): boolean {
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isBlank(code)) continue;
    run = isSpecial(code) ? run + 1 : 0;
    if (run > LONGEST_RUN) return true;
  }
  return false;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function isSpecial(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return code < 0x80 && !isDigit && !isLetter;
}
