import { type TextLines, textLines } from 'salvo/kit/text';
import { literalExpression } from './build-expression.ts';
import { type DataEntry, type DataMap, type DataNode, MAX_DATA_DEPTH } from './data-node.ts';
import type { Attribute, Expression, ObjectEntry, TextRange, Written } from './expression.ts';
import { linesOf, placedEntry, problemAt } from './placed-syntax.ts';
import { readJson } from './read-json.ts';
import type { Block, SourceFile } from './source-file.ts';
import { blockAddress } from './terraform-reading.ts';

/** The number of names before the body: `{"resource": {"aws_s3_bucket": {"data": {...}}}}`. */
const LABELS: Record<string, number> = {
  resource: 2,
  data: 2,
  ephemeral: 2,
  variable: 1,
  output: 1,
  module: 1,
  provider: 1,
};

/** Their lists of objects are nested blocks. Those of others, such as `locals`, are values. */
const WITH_BLOCKS = new Set(['resource', 'data', 'ephemeral', 'provider']);

/**
 * Terraform in JSON (`.tf.json`, `.tfvars.json`). In JSON, a nested block looks like an attribute that is an object or a
 * list of objects. A list is read as blocks, and a single object, which may also be a map, as an attribute.
 * `readTemplate` reads a string with `${...}` in it.
 */
export function parseTerraformJson(
  file: string,
  text: string,
  readTemplate: (written: Written, value: string) => Expression,
): SourceFile {
  const { root, problems } = readJson(text);
  const lines = textLines(text);
  const reading = { text, lines, readTemplate };
  const blocks: Block[] = [];
  const attributes: Attribute[] = [];
  if (root?.kind === 'map') {
    for (const entry of root.entries) {
      if (file.endsWith('.tfvars.json')) attributes.push(attributeOf(reading, entry));
      else addBlocks(reading, blocks, [entry.name], entry, LABELS[entry.name] ?? 0);
    }
  } else if (problems.length === 0) problems.push({ offset: 0, message: 'a map of blocks is expected' });
  const placed = problems.map(({ offset, message }) => problemAt(lines, offset, message));
  return { file, language: 'terraform', syntax: 'json', text, blocks, attributes, comments: [], problems: placed };
}

interface JsonReading {
  text: string;
  lines: TextLines;
  readTemplate: (written: Written, value: string) => Expression;
}

function addBlocks(reading: JsonReading, blocks: Block[], head: string[], entry: DataEntry, labels: number): void {
  // Several blocks of one name are a list.
  for (const value of entry.value.kind === 'list' ? entry.value.items : [entry.value]) {
    if (value.kind !== 'map') continue;
    if (labels === 0) blocks.push(blockOf(reading, head, value, null, outerRange(reading, entry, value)));
    else {
      for (const child of value.entries) {
        if (child.name !== '//') addBlocks(reading, blocks, [...head, child.name], child, labels - 1);
      }
    }
  }
}

/** The block that others are nested in. */
interface Around {
  address: string;
  depth: number;
}

function blockOf(
  reading: JsonReading,
  head: readonly string[],
  { entries, range: bodyRange }: DataMap,
  around: Around | null,
  range = bodyRange,
): Block {
  const [type = '', ...labels] = head;
  const address = blockAddress(head, around);
  const hasBlocks = around !== null || WITH_BLOCKS.has(type);
  const content = contentOf(reading, entries, hasBlocks ? { address, depth: around ? around.depth + 1 : 0 } : null);
  return { type, labels, address, ...content, settings: [], range, bodyRange, ...linesOf(reading.lines, range) };
}

/** From the name, if nothing is between it and the body: the first of several blocks of one name. */
function outerRange({ text }: JsonReading, { nameRange }: DataEntry, { range }: DataMap): TextRange {
  const isFirst = range.start >= nameRange.end && /^\s*:\s*$/.test(text.slice(nameRange.end, range.start));
  return { start: isFirst ? nameRange.start : range.start, end: range.end };
}

/** `around` is null if there are no nested blocks. */
function contentOf(
  reading: JsonReading,
  entries: readonly DataEntry[],
  around: Around | null,
): Pick<Block, 'attributes' | 'blocks'> {
  const written = entries.filter(({ name }) => name !== '//');
  const blocks =
    around && around.depth < MAX_DATA_DEPTH ? written.flatMap((entry) => nestedBlocks(reading, entry, around)) : [];
  const asBlocks = new Set(blocks.map(({ type }) => type));
  return {
    attributes: written.filter(({ name }) => !asBlocks.has(name)).map((entry) => attributeOf(reading, entry)),
    blocks,
  };
}

/** `{"ingress": [{...}, {...}]}`, or `{"dynamic": {"ingress": {"for_each": [...], "content": {...}}}}`. */
function nestedBlocks(reading: JsonReading, { name, value }: DataEntry, around: Around): Block[] {
  const read = (head: string[], map: DataMap) => blockOf(reading, head, map, around);
  if (name === 'dynamic' && value.kind === 'map') {
    return value.entries.flatMap((of) => mapsIn(of.value).map((map) => read([name, of.name], map)));
  }
  if (name === 'content' && value.kind === 'map') return [read([name], value)];
  return value.kind === 'list' ? mapsIn(value).map((map) => read([name], map)) : [];
}

/** A map, or the maps of a list that has nothing else. */
function mapsIn(node: DataNode): DataMap[] {
  const items = node.kind === 'list' ? node.items : [node];
  const maps = items.filter((item) => item.kind === 'map');
  return maps.length === items.length ? maps : [];
}

function attributeOf(reading: JsonReading, entry: DataEntry): ObjectEntry {
  return placedEntry(reading, entry, expressionOf(reading, entry.value, 0));
}

function expressionOf(reading: JsonReading, node: DataNode, depth: number): Expression {
  const written = { range: node.range, text: reading.text.slice(node.range.start, node.range.end) };
  if (depth > MAX_DATA_DEPTH) return { kind: 'other', ...written };
  if (node.kind === 'list') {
    return { kind: 'list', items: node.items.map((item) => expressionOf(reading, item, depth + 1)), ...written };
  }
  if (node.kind === 'map') {
    return { kind: 'object', entries: node.entries.map((entry) => attributeOf(reading, entry)), ...written };
  }
  if (typeof node.value === 'string' && /[$%]\{/.test(node.value)) {
    return reading.readTemplate(written, node.value);
  }
  return literalExpression(node.value, written);
}
