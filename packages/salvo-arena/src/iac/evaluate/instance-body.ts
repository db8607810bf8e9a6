import type { Attribute } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import { evaluate, type Place } from './evaluate.ts';
import { entriesOf } from './instance-keys.ts';
import { NO_VALUE, type PartialValue } from './partial-value.ts';
import { type ModuleBlock, nestedType, writtenContent } from './terraform-module.ts';

/** The content of one instance of a block, and where its expressions are evaluated. */
export interface InstanceBody extends ModuleBlock {
  line: number;
  end_line: number;
  place: Place;
  certain: boolean;
}

export function instanceBody(content: ModuleBlock, place: Place, certain: boolean): InstanceBody {
  const { line, end_line } = content.block;
  return { ...content, line, end_line, place, certain };
}

/** Undefined when there is no such attribute, or its value is null or `AWS::NoValue`. */
export function attributeValue({ attributes, place }: InstanceBody, name: string): PartialValue | undefined {
  const attribute = attributes.get(name);
  return attribute && setValue(attribute.it, place);
}

/** Undefined when the value is null or `AWS::NoValue`: then the attribute counts as absent. */
export function setValue(attribute: Attribute, place: Place): PartialValue | undefined {
  const value = evaluate(attribute.value, place);
  return value === null || value === NO_VALUE ? undefined : value;
}

/** The nested blocks of a type. An attribute that is an object, or a list of objects, counts as well. */
export function nestedBodies(body: InstanceBody, type: string): InstanceBody[] {
  const { place, certain } = body;
  const blocks = body.blocks.flatMap(({ it, file }) => {
    if (nestedType(it) !== type) return [];
    return it.type === 'dynamic'
      ? dynamicBodies(body, it, file)
      : [instanceBody(writtenContent(it, file), place, certain)];
  });
  const attribute = body.attributes.get(type);
  if (!attribute || blocks.length > 0) return blocks;
  const { value } = attribute.it;
  const values = value.kind === 'list' ? value.items : [value];
  return values.flatMap((item) => {
    if (item.kind !== 'object') return [];
    const { line, end_line } = attribute.it;
    const attributes = new Map(item.entries.map((entry) => [entry.name, { it: entry, file: attribute.file }]));
    return [{ ...body, file: attribute.file, line, end_line, attributes, blocks: [] }];
  });
}

function dynamicBodies({ place, certain }: InstanceBody, dynamic: Block, file: string): InstanceBody[] {
  const content = dynamic.blocks.find(({ type }) => type === 'content');
  const attribute = (name: string) => dynamic.attributes.find((candidate) => candidate.name === name)?.value;
  const forEach = attribute('for_each');
  if (!content || !forEach) return [];
  const iterator = attribute('iterator');
  const name = iterator?.kind === 'reference' ? iterator.path : nestedType(dynamic);
  const { line, end_line } = dynamic;
  return entriesOf(evaluate(forEach, place), 'number').map(({ element, certain: isThere }) => {
    const inner = { ...place, names: new Map(place.names).set(name, element) };
    return { ...instanceBody(writtenContent(content, file), inner, certain && isThere), line, end_line };
  });
}
