import { parseYaml } from 'salvo/kit/text-files';
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import {
  type DataDocument,
  type DataEntry,
  type DataMap,
  type DataNode,
  type DataProblem,
  MAX_DATA_DEPTH,
} from './data-node.ts';
import type { TextRange } from './expression.ts';

/** About 5 MB of an ordinary template. */
const MAX_LEXEMES = 1_600_000;
const MOST_PROBLEMS = 20;
/** How many values all aliases together may expand to, so that a short text cannot become a huge value. */
const MAX_ALIASED = 100_000;

/** Reads YAML with the position of every value. Never throws: errors and exceeded limits are listed in `problems`. */
export function readYaml(text: string): DataDocument {
  const read = parseYaml(text, { maxDepth: MAX_DATA_DEPTH, maxLexemes: MAX_LEXEMES });
  if ('exceeded' in read) {
    const message =
      read.exceeded === 'depth'
        ? `values are nested more than ${MAX_DATA_DEPTH} levels deep`
        : `the file has more than ${MAX_LEXEMES} values and punctuation characters`;
    return { root: null, comments: [], problems: [{ offset: read.offset, message }] };
  }
  const {
    documents: [first, second],
    comments,
  } = read;
  if (!first) return { root: null, comments, problems: [{ offset: 0, message: 'the file is empty' }] };
  const problems = first.errors
    .slice(0, MOST_PROBLEMS)
    .map(({ pos, message }) => ({ offset: pos[0], message: message.replaceAll(/\s+/g, ' ') }));
  const conversion = { text, problems, anchors: new Map<string, Sized>(), aliased: 0, depth: 0 };
  const root = first.contents && convert(conversion, first.contents, 0);
  if (second) problems.push({ offset: second.range[0], message: 'only the first document of this file is read' });
  return { root, comments, problems };
}

interface Sized {
  node: DataNode;
  size: number;
  height: number;
}

/** The conversion of the library's syntax tree to plain nodes, with aliases and merge keys resolved. */
interface Conversion {
  text: string;
  problems: DataProblem[];
  anchors: Map<string, Sized>;
  aliased: number;
  depth: number;
}

function convert(at: Conversion, node: Node | null, from: number): DataNode {
  const range = rangeOf(at, node, from);
  if (!node) return empty(range);
  if (isAlias(node)) return aliasOf(at, node.source, range);
  at.depth += 1;
  const converted = convertTagged(at, node, range);
  at.depth -= 1;
  if ('anchor' in node && typeof node.anchor === 'string') at.anchors.set(node.anchor, measure(converted));
  return converted;
}

function convertTagged(at: Conversion, node: Node, range: TextRange): DataNode {
  const tag = node.tag === undefined || node.tag.startsWith('tag:yaml.org') || node.tag === '!' ? null : node.tag;
  if (at.depth > MAX_DATA_DEPTH) return empty(range);
  if (isScalar(node))
    return { kind: 'scalar', value: scalarValue(node.value, tag === null ? node.type : undefined), tag, range };
  if (isSeq<Node>(node)) {
    let from = range.start;
    const items = node.items.map((item) => {
      const converted = convert(at, item, from);
      from = isAlias(item) ? (item.range?.[1] ?? from) : converted.range.end;
      return converted;
    });
    return { kind: 'list', items, tag, range: node.flow ? range : { start: range.start, end: from } };
  }
  return isMap<Node, Node | null>(node) ? convertMap(at, node, { range, tag }) : empty(range);
}

function convertMap(at: Conversion, map: YAMLMap<Node, Node | null>, placed: Pick<DataMap, 'range' | 'tag'>): DataMap {
  const entries: DataEntry[] = [];
  const merged: DataNode[] = [];
  const names = new Set<string>();
  let end = placed.range.start;
  for (const { key, value } of map.items) {
    const nameRange = rangeOf(at, key, end);
    const name = isScalar(key) ? (typeof key.value === 'string' ? key.value : (key.source ?? String(key.value))) : null;
    const converted = convert(at, value, nameRange.end);
    end = isAlias(value) ? (value.range?.[1] ?? end) : Math.max(nameRange.end, converted.range.end);
    if (name === null) at.problems.push({ offset: nameRange.start, message: 'a key has to be a text' });
    else if (name === '<<') merged.push(...(converted.kind === 'list' ? converted.items : [converted]));
    else {
      if (names.has(name)) {
        at.problems.push({ offset: nameRange.start, message: `the key "${name}" occurs twice in this map` });
      }
      names.add(name);
      entries.push({ name, nameRange, value: converted, end });
    }
  }
  for (const source of merged) {
    if (source.kind !== 'map') continue;
    for (const entry of source.entries) if (!names.has(entry.name)) entries.push(entry);
  }
  return { kind: 'map', entries, tag: placed.tag, range: map.flow ? placed.range : { start: placed.range.start, end } };
}

/** An alias has the range of the value that it refers to, since an edit has to change that value. */
function aliasOf(at: Conversion, name: string, range: TextRange): DataNode {
  const target = at.anchors.get(name);
  if (!target) {
    at.problems.push({ offset: range.start, message: `there is no anchor &${name} before this alias` });
    return empty(range);
  }
  at.aliased += target.size;
  if (at.aliased > MAX_ALIASED || at.depth + target.height > MAX_DATA_DEPTH) {
    at.problems.push({ offset: range.start, message: 'aliases make this too large' });
    return empty(range);
  }
  return target.node;
}

function empty(range: TextRange): DataNode {
  return { kind: 'scalar', value: null, tag: null, range };
}

/** CloudFormation uses YAML 1.1, where these words are booleans. Dates stay texts. */
const WORDS = new Map<unknown, boolean>(
  ['yes', 'Yes', 'YES', 'on', 'On', 'ON']
    .map((word): [string, boolean] => [word, true])
    .concat(['no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word): [string, boolean] => [word, false])),
);

function scalarValue(value: unknown, type: string | undefined): string | number | boolean | null {
  if (type === 'PLAIN' && WORDS.has(value)) return WORDS.get(value) ?? null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : String(value);
}

/** The library's range starts after tag and anchor, and includes the line break after a block scalar. */
function rangeOf({ text }: Conversion, node: Node | null, from: number): TextRange {
  const [valueStart = from, valueEnd = from] = node?.range ?? [];
  const gap = text.slice(from, valueStart);
  const marks: number[] = [];
  if (node?.tag?.startsWith('!')) marks.push(gap.lastIndexOf(node.tag));
  if (node && 'anchor' in node && typeof node.anchor === 'string') marks.push(gap.lastIndexOf(`&${node.anchor}`));
  const start = Math.min(valueStart, ...marks.filter((mark) => mark >= 0).map((mark) => from + mark));
  let end = Math.max(start, valueEnd);
  while (end > start && /\s/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

function measure(node: DataNode): Sized {
  const children =
    node.kind === 'list' ? node.items : node.kind === 'map' ? node.entries.map(({ value }) => value) : [];
  const sizes = children.map(measure);
  const size = sizes.reduce((sum, child) => sum + child.size, 1);
  const height = sizes.reduce((most, child) => Math.max(most, child.height + 1), 0);
  return { node, size, height };
}
