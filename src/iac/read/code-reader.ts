import { type TextLines, textLines } from '../../text/source-text.ts';
import type { BlockView } from '../evaluate/block-view.ts';
import { remembered } from '../evaluate/instance-view.ts';
import type { Scope } from '../evaluate/scope.ts';
import { nestedType } from '../evaluate/terraform-module.ts';
import { type Json, knownPart, type Value } from '../evaluate/value.ts';
import type { Attribute, TextRange } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import { type CodeNode, type CodePlace, knownNode, type Spot } from './code-node.ts';
import { type ExpressionContext, expressionNodes } from './expression-nodes.ts';

/** Reads the blocks of a project as nodes. Every node is made once, however many rules and operators ask for it. */
export interface CodeReader {
  /** A resource or data source after evaluation. */
  instance(view: BlockView): CodeNode;
  /**
   * A block as it is written, without `count`, `for_each` and module inputs: a provider, a resource with `count = 0`.
   */
  block(block: Block, file: string): CodeNode;
  /** The line of a spot that has this text, after skipping the first few that do; the spot itself if there is none. */
  lineIn(spot: Spot, text: string, skip?: number): Spot;
}

const LONGEST_SPOT_TEXT = 600;

/** Blocks that are nested deeper are left out of `json`. */
const DEEPEST_JSON = 12;

const readers = new WeakMap<Scope, CodeReader>();

export function codeReader(scope: Scope): CodeReader {
  const reader = readers.get(scope) ?? createReader(scope);
  readers.set(scope, reader);
  return reader;
}

/** A block with what is in it, after evaluation or as it is written. */
interface BlockContent {
  block: Block;
  spot: Spot;
  place: CodePlace;
  where: BlockView | string;
  root: BlockView | null;
  names: readonly string[];
  attribute(name: string): PlacedAttribute | null;
  setting(name: string): { value: Value } | null;
  nested(type: string): BlockContent[];
}

interface PlacedAttribute {
  attribute: Attribute;
  file: string;
  value: Value;
}

function createReader(scope: Scope): CodeReader {
  const texts = new Map(scope.project.files.map(({ file, text }) => [file, text]));
  const indices = new Map<string, TextLines>();
  const linesOf = (file: string) => remembered(indices, file, () => textLines(texts.get(file) ?? ''));
  const spotAt = (file: string, { start, end }: TextRange): Spot => {
    const lines = linesOf(file);
    const text = (texts.get(file) ?? '').slice(start, Math.min(end, start + LONGEST_SPOT_TEXT));
    return { file, line: lines.line(start), end_line: lines.line(Math.max(start, end - 1)), text };
  };

  let documents: Map<string, BlockView> | undefined;
  const context: ExpressionContext = {
    scope,
    spotAt,
    policyDocument: (address) => {
      documents ??= new Map(scope.instances('aws_iam_policy_document').map((view) => [view.address, view]));
      const view = documents.get(address);
      // With other documents merged into it, its own statements are not all there is.
      return view && !view.names().some((name) => /^(?:source|override)_/.test(name)) ? instance(view) : null;
    },
  };

  const instances = new WeakMap<BlockView, CodeNode>();
  const instance = (view: BlockView): CodeNode => {
    const node = instances.get(view) ?? blockNode(context, evaluatedContent(spotAt, view, view));
    instances.set(view, node);
    return node;
  };

  return {
    instance,
    block: (block, file) => blockNode(context, writtenContent(context, block, file)),
    lineIn: (spot, text, skip = 0) => {
      const source = texts.get(spot.file);
      if (source === undefined || text === '') return spot;
      const lines = linesOf(spot.file);
      const inside = source.slice(lines.start(spot.line), lines.start(spot.end_line + 1));
      let at = inside.indexOf(text);
      for (let skipped = 0; skipped < skip && at >= 0; skipped += 1) at = inside.indexOf(text, at + text.length);
      if (at < 0) return spot;
      const line = lines.line(lines.start(spot.line) + at);
      const whole = source.slice(lines.start(line), lines.start(line + 1));
      return { file: spot.file, line, end_line: line, text: whole.trim().slice(0, LONGEST_SPOT_TEXT) };
    },
  };
}

function evaluatedContent(spotAt: ExpressionContext['spotAt'], view: BlockView, root: BlockView): BlockContent {
  const { block, file, line, end_line } = view;
  return {
    block,
    spot: { ...headSpot(spotAt, block, file), line, end_line: line },
    place: { file, line, end_line },
    where: view,
    root,
    names: view.names(),
    attribute: (name) => view.get(name),
    setting: (name) => (name === 'Type' ? null : view.setting(name)),
    nested: (type) => view.blocks(type).map((nested) => evaluatedContent(spotAt, nested, root)),
  };
}

function writtenContent(
  { scope, spotAt }: Pick<ExpressionContext, 'scope' | 'spotAt'>,
  block: Block,
  file: string,
): BlockContent {
  const attributes = new Map(block.attributes.map((attribute) => [attribute.name, attribute]));
  const settings = new Map(block.settings.map((setting) => [setting.name, setting]));
  const resolved = (attribute: Attribute | undefined): PlacedAttribute | null =>
    attribute ? { attribute, file, value: scope.resolve(attribute.value, file) } : null;
  return {
    block,
    spot: headSpot(spotAt, block, file),
    place: { file, line: block.line, end_line: block.end_line },
    where: file,
    root: null,
    names: [...attributes.keys()],
    attribute: (name) => resolved(attributes.get(name)),
    setting: (name) => resolved(settings.get(name)),
    nested: (type) =>
      block.blocks
        .filter((inner) => nestedType(inner) === type)
        .flatMap((inner) => (inner.type === 'dynamic' ? inner.blocks.filter((one) => one.type === 'content') : [inner]))
        .map((inner) => writtenContent({ scope, spotAt }, inner, file)),
  };
}

function headSpot(spotAt: ExpressionContext['spotAt'], block: Block, file: string): Spot {
  const { line, text } = spotAt(file, block.range);
  return { file, line, end_line: line, text: text.split(/\r?\n/, 1)[0] ?? '' };
}

function blockNode(context: ExpressionContext, content: BlockContent): CodeNode {
  return knownNode({
    ...content,
    json: () => contentJson(content, DEEPEST_JSON),
    children: (name) => {
      const own = content.attribute(name);
      if (!own) return content.nested(name).map((nested) => blockNode(context, nested));
      const { attribute, file, value } = own;
      const spot = context.spotAt(file, attribute.range);
      const { where, root } = content;
      return expressionNodes(context, attribute.value, { file, where, root, spot, place: spot }, value);
    },
    names: () => [...new Set([...content.names, ...nestedTypes(content)])],
  });
}

function contentJson(content: BlockContent, depth: number): Json {
  const { block, names } = content;
  const known = (name: string, found: { value: Value } | null): [string, Json][] =>
    found ? [[name, knownPart(found.value)]] : [];
  const nested = depth === 0 ? [] : nestedTypes(content).map((type) => ({ type, inner: content.nested(type) }));
  return Object.fromEntries([
    ...block.settings.flatMap(({ name }) => known(name, content.setting(name))),
    ...names.flatMap((name) => known(name, content.attribute(name))),
    ...nested.flatMap(({ type, inner }): [string, Json][] =>
      inner.length > 0 ? [[type, inner.map((one) => contentJson(one, depth - 1))]] : [],
    ),
  ]);
}

function nestedTypes({ block }: BlockContent): string[] {
  return [...new Set(block.blocks.map(nestedType))];
}
