import type { Attribute, TextRange } from '../syntax/expression.ts';
import type { AttributeHolder, SourceFile } from '../syntax/source-file.ts';
import { EditError, insertion, type TextEdit } from './edits.ts';
import { columnAt, commaAfter, indentAt, indented, lineBreak, lineEnd } from './line-layout.ts';

/**
 * Inserts an attribute after the last one of a block or object, but before the tags of a block, with the same
 * indentation. `value` is code of the file's language, as in `replaceValue`.
 */
export function insertAttribute(source: SourceFile, into: AttributeHolder, name: string, value: string): TextEdit[] {
  const place = placeOf(source, into);
  if (source.syntax === 'hcl')
    return 'kind' in into ? intoObject(source, place, name, value) : intoBlock(source, place, name, value);
  return intoMap(source, into, place, name, value);
}

interface Place {
  /** Between the braces, or the map itself in YAML's block style. */
  body: TextRange;
  entries: readonly Attribute[];
  /** The indentation of the block or object. */
  indent: string;
}

function placeOf({ text, syntax }: SourceFile, into: AttributeHolder): Place {
  const indent = indentAt(text, into.range.start);
  if ('kind' in into) {
    return { body: { start: into.range.start + 1, end: into.range.end - 1 }, entries: into.entries, indent };
  }
  const range = into.bodyRange ?? { start: into.range.end, end: into.range.end };
  const inBraces = syntax !== 'hcl' && text[range.start] === '{';
  const body = inBraces ? { start: range.start + 1, end: range.end - 1 } : range;
  return { body, entries: into.attributes, indent };
}

/** A block on one line is split into lines, since Terraform allows only one attribute there. */
function intoBlock({ text }: SourceFile, { body, entries, indent }: Place, name: string, value: string): TextEdit[] {
  const newLine = lineBreak(text);
  const last = entries.at(-1);
  const inner = last ? indentAt(text, last.range.start) : `${indent}  `;
  const whole = text.slice(body.start, body.end);
  if (!whole.includes('\n')) {
    const deeper = `${indent}  `;
    const kept = whole.trim();
    const lines = [...(kept === '' ? [] : [kept]), `${name} = ${indented(value, deeper, newLine)}`];
    const opened = lines.map((line) => `${newLine}${deeper}${line}`).join('');
    return [{ ...body, text: `${opened}${newLine}${indent}` }];
  }
  // Tags are the last setting by convention, with an empty line before them.
  const before = last?.name === 'tags' ? (entries.at(-2) ?? last) : last;
  const at = lineEnd(text, before ? before.range.end : body.start);
  return [insertion(at, `${newLine}${inner}${name} = ${indented(value, inner, newLine)}`)];
}

function intoObject({ text }: SourceFile, { body, entries, indent }: Place, name: string, value: string): TextEdit[] {
  const newLine = lineBreak(text);
  const last = entries.at(-1);
  const closing = text.slice(last ? last.range.end : body.start, body.end);
  if (!closing.includes('\n')) {
    const entry = `${name} = ${indented(value, indent, newLine)}`;
    if (!last) return [{ ...body, text: ` ${entry} ` }];
    return [insertion(last.range.end, `, ${entry}`)];
  }
  const inner = last ? indentAt(text, last.range.start) : `${indent}  `;
  const at = lineEnd(text, last ? last.range.end : body.start);
  return [insertion(at, `${newLine}${inner}${name} = ${indented(value, inner, newLine)}`)];
}

function intoMap(source: SourceFile, into: AttributeHolder, place: Place, name: string, value: string): TextEdit[] {
  const { text, syntax } = source;
  const { body, entries } = place;
  const last = entries.at(-1);
  if (text[body.start - 1] === '{' && body.end > 0 && text[body.end] === '}')
    return intoBraces(source, place, name, value);
  const newLine = lineBreak(text);
  if (last) {
    const column = columnAt(text, last.range.start);
    const entry = yamlEntry(name, value, column, newLine);
    return [insertion(lineEnd(text, last.range.end), `${newLine}${column}${entry}`)];
  }
  const setting = 'kind' in into ? undefined : into.settings.at(-1);
  if (syntax === 'json' || !setting) {
    throw new EditError(`There is no map that "${name}" could be put into: insert the map first.`);
  }
  const column = columnAt(text, setting.range.start);
  const entry = yamlEntry(name, value, `${column}  `, newLine);
  const properties = `${newLine}${column}Properties:${newLine}${column}  ${entry}`;
  return [insertion(lineEnd(text, setting.range.end), properties)];
}

function yamlEntry(name: string, value: string, column: string, newLine: string): string {
  if (!value.includes('\n')) return `${name}: ${value}`;
  const deeper = `${column}  `;
  return `${name}:${newLine}${deeper}${indented(value, deeper, newLine)}`;
}

function intoBraces(
  { text, syntax }: SourceFile,
  { body, entries, indent }: Place,
  name: string,
  value: string,
): TextEdit[] {
  const newLine = lineBreak(text);
  const key = syntax === 'json' ? JSON.stringify(name) : name;
  const last = entries.at(-1);
  if (!last) return [{ ...body, text: `${key}: ${indented(value, indent, newLine)}` }];
  const { start, end } = last.range;
  const entry = `${key}: ${indented(value, indentAt(text, start), newLine)}`;
  return [insertion(end, commaAfter(text, start) + entry)];
}
