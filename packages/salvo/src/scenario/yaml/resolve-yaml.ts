import { isAlias, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { isRecord } from '../../text/json/is-record.ts';
import type { SourceText, Span } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LocatedChild, LocatedValue } from '../diagnostics/located-value.ts';
import { diagnosticAt, type ProblemText } from '../diagnostics/problem.ts';
import { MAX_DEPTH, TOO_DEEP } from './yaml-tree.ts';

export interface YamlResolution {
  source: SourceText;
  contents: ParsedNode | null;
  report: (diagnostic: Diagnostic) => void;
  /** The value of `!include name`; null when it has a problem, which has been reported. */
  include: (name: string, span: Span) => LocatedValue | null;
}

/** A rough measure of memory: one per value, and one more for every 64 characters. */
const MAX_SIZE = 1_000_000;
const CORE_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((tag) => `tag:yaml.org,2002:${tag}`),
);

/** The value of a syntax tree: aliases, merge keys and includes are resolved, positions are kept. */
export function resolveYaml(resolution: YamlResolution): LocatedValue {
  const walk: Walk = { ...resolution, key: null, anchors: new Map(), depth: 0, exhausted: false };
  return resolveNode(walk, resolution.contents, { source: resolution.source, start: 0, end: 0 });
}

interface Walk extends YamlResolution {
  /** Of the value that is resolved next; null if it is not that of a key. */
  key: string | null;
  anchors: Map<string, LocatedValue | 'open'>;
  depth: number;
  /** The size limit has been reported; once is enough. */
  exhausted: boolean;
}

function resolveNode(walk: Walk, node: ParsedNode | null | undefined, fallback: Span): LocatedValue {
  if (!node) return leaf(null, fallback);
  const span = { source: walk.source, start: node.range[0], end: node.range[1] };
  if (isAlias(node)) return resolveAlias(walk, node.source, span);
  const anchor = node.anchor;
  if (anchor !== undefined) walk.anchors.set(anchor, 'open');
  walk.depth++;
  const resolved = resolveTagged(walk, node, span);
  walk.depth--;
  if (anchor !== undefined) walk.anchors.set(anchor, resolved);
  return resolved;
}

function resolveTagged(walk: Walk, node: Scalar.Parsed | YAMLMap.Parsed | YAMLSeq.Parsed, span: Span): LocatedValue {
  if (node.tag === '!include') {
    if (!isScalar(node) || typeof node.source !== 'string') {
      return fail(walk, span, { code: 'invalid-include', message: '!include needs a file name' });
    }
    const included = walk.include(node.source, span);
    return included ? shared(walk, included, span) : broken(span);
  }
  if (node.tag !== undefined && node.tag !== '!' && !CORE_TAGS.has(node.tag)) {
    return fail(walk, span, {
      code: 'unknown-tag',
      message: `the tag ${node.tag} is not supported`,
      hint: '!include is the only custom tag; put a text that begins with "!" in quotes',
    });
  }
  if (isScalar(node)) return resolveScalar(walk, node, span);
  return isSeq(node) ? resolveList(walk, node, span) : resolveMap(walk, node, span);
}

function resolveScalar(walk: Walk, node: Scalar.Parsed, span: Span): LocatedValue {
  const { value } = node;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      return fail(walk, span, { code: 'not-json', message: `${node.source} is not a number that JSON can represent` });
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^[-+]?\d+$/.test(node.source ?? '')) {
      walk.report(
        diagnosticAt(span, {
          severity: 'warning',
          code: 'inexact-number',
          message: `${node.source} is too large to be represented exactly: it becomes ${value}`,
          hint: 'put it in quotes if it is an identifier',
        }),
      );
    }
  }
  return leaf(value, span);
}

function resolveAlias(walk: Walk, name: string, span: Span): LocatedValue {
  const target = walk.anchors.get(name);
  if (target === 'open') {
    return fail(walk, span, { code: 'recursive-alias', message: `*${name} is inside the value that it refers to` });
  }
  if (!target) {
    return fail(walk, span, { code: 'unknown-alias', message: `there is no anchor &${name} before this alias` });
  }
  return shared(walk, target, span);
}

/** Aliases and includes can nest a small file deeply, so the depth is checked here. */
function shared(walk: Walk, node: LocatedValue, span: Span): LocatedValue {
  if (walk.depth + node.height > MAX_DEPTH) return fail(walk, span, TOO_DEEP);
  return node;
}

/** In lists under these keys of a file no entry is a list, so that an included list gives its entries. */
const SPREAD: ReadonlySet<unknown> = new Set(['tools', 'messages', 'data', 'prompts']);
/** The depth of the value of a key of the file itself. */
const OF_THE_FILE = 2;

/** The entries of an included list. One that is long has no positions. */
function entriesOf({ value, children, span }: LocatedValue): { node: LocatedValue }[] {
  if (children.size > 0 || !Array.isArray(value)) return [...children.values()];
  return value.map((entry) => ({ node: leaf(entry, span) }));
}

function resolveList(walk: Walk, list: YAMLSeq.Parsed, span: Span): LocatedValue {
  const isSpread = walk.key === 'assertions' || (walk.depth === OF_THE_FILE && SPREAD.has(walk.key));
  walk.key = null;
  const builder = collection(walk, span);
  const value: unknown[] = [];
  for (const item of list.items) {
    const node = resolveNode(walk, item, span);
    const isIncluded = !isAlias(item) && item.tag === '!include';
    const parts = isSpread && isIncluded && Array.isArray(node.value) ? entriesOf(node) : [{ node }];
    for (const part of parts) {
      builder.add(value.length, { node: part.node });
      value.push(part.node.value);
    }
  }
  return builder.done(value);
}

function resolveMap(walk: Walk, map: YAMLMap.Parsed, span: Span): LocatedValue {
  const builder = collection(walk, span);
  const merged: LocatedValue[] = [];
  for (const pair of map.items) {
    const keySpan = { source: walk.source, start: pair.key.range[0], end: pair.key.range[1] };
    const afterKey = { source: walk.source, start: keySpan.end, end: keySpan.end };
    const isMerge = isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN';
    const name = isMerge ? '<<' : keyName(walk, pair.key, keySpan);
    walk.key = name;
    const node = resolveNode(walk, pair.value, afterKey);
    walk.key = null;
    if (isMerge) merged.push(...mergeSources(walk, node, keySpan));
    else if (name !== null && builder.has(name)) {
      const first = builder.children.get(name)?.key;
      walk.report(
        diagnosticAt(keySpan, {
          code: 'duplicate-key',
          message: `the key "${name}" occurs twice in this map`,
          hint: first && `the first one is in line ${first.source.place(first.start).line}`,
        }),
      );
    } else if (name !== null) builder.add(name, { key: keySpan, node });
  }
  // The map's own keys take precedence, then the merged maps in their order.
  for (const { children } of merged) {
    for (const [key, child] of children) if (!builder.has(key)) builder.add(key, child);
  }
  return builder.done(Object.fromEntries(builder.children.entries().map(([key, child]) => [key, child.node.value])));
}

function keyName(walk: Walk, key: ParsedNode, span: Span): string | null {
  const scalar = isScalar(key) && key.tag === undefined ? key : undefined;
  const value = scalar?.value;
  if (typeof value === 'string' && value !== '__proto__') return value;
  // As in `scale: {0: ..., 0.5: ...}`. Kept as written: 007 must not become 7.
  if (typeof value === 'number' && Number.isFinite(value)) return scalar?.source ?? String(value);
  const message = value === '__proto__' ? 'the key "__proto__" cannot be used' : 'a key must be a text';
  const hint = typeof value === 'boolean' || value === null ? 'put it in quotes' : undefined;
  walk.report(diagnosticAt(span, { code: 'invalid-key', message, hint }));
  return null;
}

function mergeSources(walk: Walk, node: LocatedValue, span: Span): LocatedValue[] {
  if (node.broken) return [];
  const sources = Array.isArray(node.value) ? [...node.children.values()].map((child) => child.node) : [node];
  if (sources.every(({ value, broken }) => broken || isRecord(value))) return sources.filter(({ broken }) => !broken);
  fail(walk, span, { code: 'invalid-merge', message: '<< needs a map, or a list of maps, to merge' });
  return [];
}

function collection(walk: Walk, span: Span) {
  const children = new Map<string | number, LocatedChild>();
  let size = 1;
  let height = 0;
  return {
    children,
    has: (key: string | number) => children.has(key),
    add(key: string | number, child: LocatedChild) {
      children.set(key, child);
      size += child.node.size;
      height = Math.max(height, child.node.height + 1);
    },
    done(value: unknown): LocatedValue {
      if (size <= MAX_SIZE) return { value, span, children, size, height, broken: false };
      if (walk.exhausted) return broken(span);
      walk.exhausted = true;
      const message = 'this is too large once its aliases and includes are expanded';
      return fail(walk, span, { code: 'too-large', message });
    },
  };
}

/** A value without children. */
export function leaf(value: unknown, span: Span): LocatedValue {
  const size = typeof value === 'string' ? 1 + value.length / 64 : 1;
  return { value, span, children: new Map(), size, height: 0, broken: false };
}

function broken(span: Span): LocatedValue {
  return { value: null, span, children: new Map(), size: 1, height: 0, broken: true };
}

function fail(walk: Walk, span: Span, problem: ProblemText): LocatedValue {
  walk.report(diagnosticAt(span, problem));
  return broken(span);
}
