import type { Attribute } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import { evaluate, type Place } from './evaluate.ts';
import { entriesOf, repetition } from './instance-keys.ts';
import { makeObject, NO_VALUE, type PartialValue } from './partial-value.ts';
import { nestedType, type Placed } from './terraform-module.ts';

/** The content of one instance of a block, and where its expressions are evaluated. */
export interface InstanceBody {
  block: Block;
  file: string;
  line: number;
  end_line: number;
  attributes: ReadonlyMap<string, Placed<Attribute>>;
  nested: readonly Placed<Block>[];
  place: Place;
  certain: boolean;
}

/** Undefined when there is no such attribute, or its value is null or `AWS::NoValue`. */
export function attributeValue({ attributes, place }: InstanceBody, name: string): PartialValue | undefined {
  const attribute = attributes.get(name);
  if (!attribute) return undefined;
  const value = evaluate(attribute.it.value, place);
  return value === null || value === NO_VALUE ? undefined : value;
}

/** The nested blocks of a type. An attribute that is an object, or a list of objects, counts as well. */
export function nestedBodies(body: InstanceBody, type: string): InstanceBody[] {
  const blocks = body.nested.flatMap(({ it, file }) => {
    if (nestedType(it) !== type) return [];
    return it.type === 'dynamic' ? dynamicBodies(body, it, file) : [bodyOf(it, file, body)];
  });
  const attribute = body.attributes.get(type);
  if (!attribute || blocks.length > 0) return blocks;
  const { value } = attribute.it;
  const values = value.kind === 'list' ? value.items : [value];
  return values.flatMap((item) => {
    if (item.kind !== 'object') return [];
    const { line, end_line } = attribute.it;
    const attributes = new Map(item.entries.map((entry) => [entry.name, { it: entry, file: attribute.file }]));
    return [{ ...body, file: attribute.file, line, end_line, attributes, nested: [] }];
  });
}

export function attributesOf(block: Block, file: string): Map<string, Placed<Attribute>> {
  return new Map(block.attributes.map((attribute) => [attribute.name, { it: attribute, file }]));
}

function bodyOf(block: Block, file: string, { place, certain }: Pick<InstanceBody, 'place' | 'certain'>): InstanceBody {
  const { line, end_line } = block;
  const nested = block.blocks.map((inner) => ({ it: inner, file }));
  return { block, file, line, end_line, attributes: attributesOf(block, file), nested, place, certain };
}

function dynamicBodies({ place, certain }: InstanceBody, dynamic: Block, file: string): InstanceBody[] {
  const content = dynamic.blocks.find(({ type }) => type === 'content');
  const attribute = (name: string) => dynamic.attributes.find((candidate) => candidate.name === name)?.value;
  const forEach = attribute('for_each');
  if (!content || !forEach) return [];
  const iterator = attribute('iterator');
  const name = iterator?.kind === 'reference' ? iterator.path : nestedType(dynamic);
  const { line, end_line } = dynamic;
  return entriesOf(repetition(forEach, place), 'number').map(({ key, value, certain: isThere }) => {
    const element = makeObject([
      ['key', key],
      ['value', value],
    ]);
    const inner = { ...place, names: new Map(place.names).set(name, element) };
    return { ...bodyOf(content, file, { place: inner, certain: certain && isThere }), line, end_line };
  });
}
