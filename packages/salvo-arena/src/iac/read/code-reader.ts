import { once, remembered, type TextLines, textLines } from 'salvo/kit/text';
import type { AttributeView, BlockView } from '../evaluate/block-view.ts';
import type { Scope } from '../evaluate/scope.ts';
import { nestedType } from '../evaluate/terraform-module.ts';
import { type Json, knownPart } from '../evaluate/value.ts';
import type { TextRange } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import { type CodeNode, knownNode, type Spot } from './code-node.ts';
import { type ExpressionContext, expressionNodes } from './expression-nodes.ts';

const LONGEST_SPOT_TEXT = 600;

/** Blocks that are nested deeper are left out of `json`. */
const DEEPEST_JSON = 12;

const readers = new WeakMap<Scope, ReturnType<typeof createReader>>();

/** Reads the blocks of a project as nodes. Every node is made once, however many rules and operators ask for it. */
export function codeReader(scope: Scope) {
  return remembered(readers, scope, () => createReader(scope));
}

function createReader(scope: Scope) {
  const texts = new Map(scope.project.files.map(({ file, text }) => [file, text]));
  const indices = new Map<string, TextLines>();
  const linesOf = (file: string) => remembered(indices, file, () => textLines(texts.get(file) ?? ''));
  const spotAt = (file: string, { start, end }: TextRange): Spot => {
    const lines = linesOf(file);
    const text = (texts.get(file) ?? '').slice(start, Math.min(end, start + LONGEST_SPOT_TEXT));
    return { file, line: lines.line(start), end_line: lines.line(Math.max(start, end - 1)), text };
  };

  const documents = once(() => new Map(scope.instances('aws_iam_policy_document').map((view) => [view.address, view])));
  const context: ExpressionContext = {
    scope,
    spotAt,
    policyDocument: (address) => {
      const view = documents().get(address);
      // With other documents merged into it, its own statements are not all there is.
      return view && !view.names().some((name) => /^(?:source|override)_/.test(name)) ? instance(view) : null;
    },
  };

  const instances = new WeakMap<BlockView, CodeNode>();
  /** A resource or data source after evaluation. */
  const instance = (view: BlockView): CodeNode => remembered(instances, view, () => blockNode(context, view));
  const written = new WeakMap<Block, CodeNode>();

  return {
    instance,
    /** A block that has no instances: a provider, a variable, a resource with `count = 0`. */
    block: (block: Block, file: string) =>
      remembered(written, block, () => blockNode(context, scope.written(block, file))),
    /** The line of a spot that has this text, after skipping the first few that do; the spot itself if there is none. */
    lineIn: (spot: Spot, text: string, skip = 0): Spot => {
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

function blockNode(context: ExpressionContext, view: BlockView): CodeNode {
  const { block, file, line, end_line } = view;
  const [text = ''] = context.spotAt(file, block.range).text.split(/\r?\n/, 1);
  return knownNode({
    spot: { file, line, end_line: line, text },
    place: { file, line, end_line },
    json: () => blockJson(view, DEEPEST_JSON),
    children: (name) => {
      const own = view.get(name);
      if (!own) return view.blocks(name).map((nested) => blockNode(context, nested));
      const spot = context.spotAt(own.file, own.attribute.range);
      return expressionNodes(context, own.attribute.value, { file: own.file, view, spot, place: spot }, own.value);
    },
    names: () => [...new Set([...view.names(), ...nestedTypes(view)])],
  });
}

function blockJson(view: BlockView, depth: number): Json {
  const known = (found: AttributeView | null): [string, Json][] =>
    found ? [[found.name, knownPart(found.value)]] : [];
  const nested = depth === 0 ? [] : nestedTypes(view).map((type) => ({ type, inner: view.blocks(type) }));
  return Object.fromEntries([
    ...view.block.settings.flatMap(({ name }) => (name === 'Type' ? [] : known(view.setting(name)))),
    ...view.names().flatMap((name) => known(view.get(name))),
    ...nested.flatMap(({ type, inner }): [string, Json][] =>
      inner.length > 0 ? [[type, inner.map((one) => blockJson(one, depth - 1))]] : [],
    ),
  ]);
}

function nestedTypes({ block }: BlockView): string[] {
  return [...new Set(block.blocks.map(nestedType))];
}
