import type { Attribute, Expression } from '../../../../iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';

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
