import type { Parser } from 'web-tree-sitter';
import { textLines } from '../../text/text-lines.ts';
import { isGarbage } from './is-garbage.ts';
import { type PartBody, readTerraformPart } from './read-terraform-part.ts';
import type { SourceFile } from './source-file.ts';
import { parseTerraformJson } from './terraform-json.ts';
import { maskTerraform } from './terraform-mask.ts';
import { splitBrokenTerraform } from './terraform-recovery.ts';

/**
 * Reads Terraform: `.tf`, `.tfvars`, and both in JSON when the name ends in `.json`. Never throws: what cannot be read
 * is listed in `problems`.
 */
export interface TerraformParser {
  parse(file: string, text: string): SourceFile;
}

/** Behind these, nobody reads on. */
const MOST_PROBLEMS = 100;

/** A file with more mistakes in it than this is not read to its end. */
const MOST_BROKEN = 2000;

let loading: Promise<TerraformParser> | undefined;

/** Loads the grammar once per process; from then on parsing is synchronous. */
export function loadTerraformParser(): Promise<TerraformParser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<TerraformParser> {
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
}

function parseHcl(parser: Parser, file: string, text: string): SourceFile {
  const source: SourceFile = {
    file,
    language: 'terraform',
    syntax: 'hcl',
    text,
    blocks: [],
    attributes: [],
    comments: [],
    problems: [],
  };
  const reading = { parser, text, masked: maskTerraform(text), lines: textLines(text), problems: source.problems };
  if (isGarbage(text)) {
    source.problems.push({ line: 1, column: 1, message: 'this is no Terraform: thousands of signs follow each other' });
    return source;
  }
  // A byte order mark is none of the grammar's signs.
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

/** A string of JSON is a string of HCL as well, so one with `${...}` in it is read as the value of an attribute. */
function parseJson(parser: Parser, file: string, text: string): SourceFile {
  const lines = textLines(text);
  return parseTerraformJson(file, text, (written) => {
    const part = { ...written.range, head: null, bodyStart: written.range.start };
    const body = readTerraformPart({
      parser,
      text,
      masked: text,
      lines,
      problems: [],
      part,
      wanted: 'intact',
      prefix: 'a=',
    });
    return body?.attributes[0]?.value ?? { kind: 'other', ...written };
  });
}
