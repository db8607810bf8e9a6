import { equalsSetting } from '../evaluate/value.ts';
import type { Attribute, Expression, ObjectExpression } from '../syntax/expression.ts';
import { type CodeProject, isInFocus } from '../syntax/parse-code.ts';
import type { AttributeHolder, Block, SourceFile } from '../syntax/source-file.ts';
import { type PathStep, pathSteps } from './attribute-path.ts';

/**
 * Code as it is written, for edits. Paths mean the same as in `readPath`, but nothing is evaluated: a reference leads
 * nowhere, and an unknown key matches nothing.
 */
export interface WrittenBlock {
  source: SourceFile;
  block: Block;
}

export function writtenBlock(project: CodeProject, address: string): WrittenBlock | null {
  for (const source of project.files) {
    if (!isInFocus(project, source.file)) continue;
    const block = source.blocks.find(
      (one) => (one.type === 'resource' || one.type === 'data') && one.address === address,
    );
    if (block) return { source, block };
  }
  return null;
}

/** A block or object that has, or could have, the last name of a path. */
export interface WrittenSlot {
  holder: AttributeHolder;
  name: string;
  attribute: Attribute | null;
}

export function writtenSlots(block: Block, path: string): WrittenSlot[] {
  const steps = pathSteps(path);
  const name = steps.at(-1)?.name ?? '';
  return holdersAt(block, steps).map((holder) => ({ holder, name, attribute: attributeIn(holder, name) }));
}

/**
 * The innermost attribute on the way to these names, in the first of several blocks or elements. So there is a line to
 * point at even where the value comes from a variable. What is in a `dynamic` block may not exist after evaluation.
 */
export function innermostAttribute(from: AttributeHolder, names: readonly string[]): Attribute | null {
  const [name = '', ...rest] = names;
  const children = rest.length > 0 ? childrenOf(from, name) : [];
  const inner = children.find((child) => 'kind' in child || child.type === name);
  return (inner && innermostAttribute(inner, rest)) ?? attributeIn(from, name);
}

export function attributeIn(holder: AttributeHolder, name: string): Attribute | null {
  const attributes: readonly Attribute[] = 'kind' in holder ? holder.entries : holder.attributes;
  return attributes.find((attribute) => attribute.name === name) ?? null;
}

/** The value inside of `jsonencode`, in which policies and containers are written. */
export function withoutEncoding(value: Expression): Expression {
  return value.kind === 'call' && value.name === 'jsonencode' ? (value.args[0] ?? value) : value;
}

/** An attribute, or an entry of an object, with the top-level block that it is in. */
export interface WrittenAttribute {
  attribute: Attribute;
  top: Block;
  /** False for an entry of an object. */
  inBlock: boolean;
}

/** All attributes and entries of a file, outer ones before inner ones. */
export function* writtenAttributes({ blocks }: SourceFile): Generator<WrittenAttribute> {
  for (const top of blocks) yield* inBlock(top, top);
}

function* inBlock(block: Block, top: Block): Generator<WrittenAttribute> {
  for (const attribute of block.attributes) {
    yield { attribute, top, inBlock: true };
    yield* inValue(attribute.value, top);
  }
  for (const nested of block.blocks) yield* inBlock(nested, top);
}

function* inValue(value: Expression, top: Block): Generator<WrittenAttribute> {
  if (value.kind === 'list') for (const item of value.items) yield* inValue(item, top);
  if (value.kind === 'call') for (const argument of value.args) yield* inValue(argument, top);
  if (value.kind !== 'object') return;
  for (const entry of value.entries) {
    yield { attribute: entry, top, inBlock: false };
    yield* inValue(entry.value, top);
  }
}

function holdersAt(holder: AttributeHolder, [step, ...rest]: readonly PathStep[]): AttributeHolder[] {
  if (!step || rest.length === 0) return [holder];
  const { name, where } = step;
  return childrenOf(holder, name)
    .filter((child) => !where || hasLiteral(child, where))
    .flatMap((child) => holdersAt(child, rest));
}

function childrenOf(holder: AttributeHolder, name: string): AttributeHolder[] {
  if (!('kind' in holder)) {
    const blocks = holder.blocks.flatMap((block) => {
      if (block.type === name) return [block];
      if (block.type !== 'dynamic' || block.labels[0] !== name) return [];
      return block.blocks.filter(({ type }) => type === 'content');
    });
    if (blocks.length > 0) return blocks;
  }
  const value = attributeIn(holder, name)?.value;
  return value ? objectsIn(value) : [];
}

function objectsIn(value: Expression): ObjectExpression[] {
  const inner = withoutEncoding(value);
  if (inner.kind === 'list') return inner.items.flatMap(objectsIn);
  return inner.kind === 'object' ? [inner] : [];
}

function hasLiteral(holder: AttributeHolder, { name, value }: { name: string; value: string }): boolean {
  const found = attributeIn(holder, name)?.value;
  return found?.kind === 'literal' && equalsSetting(found.value, value);
}
