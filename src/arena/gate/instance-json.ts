import type { BlockView } from '../../iac/evaluate/block-view.ts';
import type { Scope } from '../../iac/evaluate/scope.ts';
import { type Json, knownPart } from '../../iac/evaluate/value.ts';
import type { Expression } from '../../iac/syntax/expression.ts';
import type { Block } from '../../iac/syntax/source-file.ts';

/** Blocks are nested this deep at most; deeper ones are left out. */
const DEEPEST = 12;

/**
 * All that a block comes to, as one value for each of its instances: attributes by name, nested blocks as lists. A part
 * that is not known is a text with `${` in it. A block that comes to nothing (`count = 0`) is shown as it is written.
 */
export function instanceJson(scope: Scope, block: Block, file: string): Json[] {
  const views = scope.instances(block);
  return views.length > 0 ? views.map((view) => viewJson(view, DEEPEST)) : [writtenJson(scope, block, file, DEEPEST)];
}

/** Whether anything comes of a block for sure. */
export function isDeployed(scope: Scope, block: Block): boolean {
  const views = scope.instances(block);
  return views.length > 0 && views.every(({ certain }) => certain);
}

function viewJson(view: BlockView, depth: number): Json {
  const attributes = view.names().flatMap((name): [string, Json][] => {
    const attribute = view.get(name);
    return attribute ? [[name, knownPart(attribute.value)]] : [];
  });
  const settings = view.block.settings.flatMap(({ name }): [string, Json][] => {
    const setting = name === 'Type' ? null : view.setting(name);
    return setting ? [[name, knownPart(setting.value)]] : [];
  });
  const nested = depth === 0 ? [] : [...nestedTypes(view.block)];
  const blocks = nested.flatMap((type): [string, Json][] => {
    const inner = view.blocks(type);
    return inner.length > 0 ? [[type, inner.map((one) => viewJson(one, depth - 1))]] : [];
  });
  return Object.fromEntries([...settings, ...attributes, ...blocks]);
}

function writtenJson(scope: Scope, block: Block, file: string, depth: number): Json {
  const resolved = ({ name, value }: { name: string; value: Expression }): [string, Json] => [
    name,
    knownPart(scope.resolve(value, file)),
  ];
  const nested = new Map<string, Json[]>();
  for (const inner of depth === 0 ? [] : block.blocks) {
    const type = typeOf(inner);
    const bodies = inner.type === 'dynamic' ? inner.blocks.filter((each) => each.type === 'content') : [inner];
    const values = bodies.map((body) => writtenJson(scope, body, file, depth - 1));
    nested.set(type, [...(nested.get(type) ?? []), ...values]);
  }
  return Object.fromEntries([...block.settings.map(resolved), ...block.attributes.map(resolved), ...nested]);
}

function nestedTypes(block: Block): Set<string> {
  return new Set(block.blocks.map(typeOf));
}

function typeOf(block: Block): string {
  return block.type === 'dynamic' ? (block.labels[0] ?? 'dynamic') : block.type;
}
