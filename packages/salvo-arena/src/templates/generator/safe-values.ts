import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { TextEdit } from '../../iac/edit/edits.ts';
import type { Attribute, Expression } from '../../iac/syntax/expression.ts';
import type { Block } from '../../iac/syntax/source-file.ts';
import type { SeededChoice } from '../seeded-choice.ts';

const value = z.union([z.string(), z.number()]);

const kindSchema = z.strictObject({
  /** Names of attributes in lower case, without `_`. */
  names: z.array(z.string()).min(1),
  /** Only these values are replaced; by default those of `values`, or every number for a `range`. */
  if: z.array(value).optional(),
  /** What is safe here. */
  values: z.array(value).min(2).optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
});

type Kind = z.infer<typeof kindSchema>;

/** Kinds of values by the name of their attribute. */
const kinds = once(() => {
  const all = z.array(kindSchema).parse(JSON.parse(dataFile(import.meta.url, './values.json')));
  const byName = new Map<string, Kind[]>();
  for (const kind of all) for (const name of kind.names) byName.set(name, [...(byName.get(name) ?? []), kind]);
  return byName;
});

/** Replaces values by other safe ones of the same kind. */
export function valueEdits(block: Block, choice: SeededChoice): TextEdit[] {
  const edits: TextEdit[] = [];
  const visit = (name: string, expression: Expression): void => {
    if (expression.kind === 'literal') {
      const drawn = drawnFor(name, expression.text, choice);
      if (drawn !== null) edits.push({ ...expression.range, text: drawn });
    } else if (expression.kind === 'list') {
      // Items of a list must stay different from each other.
      if (expression.items.length === 1) for (const item of expression.items) visit(name, item);
    } else if (expression.kind === 'object') {
      for (const entry of expression.entries) visit(entry.name, entry.value);
    } else if (expression.kind === 'call') {
      for (const argument of expression.args) if (argument.kind === 'object') visit(name, argument);
    }
  };
  const attributes = (all: readonly Attribute[]) => {
    for (const one of all) visit(one.name, one.value);
  };
  const blocks = (one: Block): void => {
    attributes(one.attributes);
    for (const inner of one.blocks) blocks(inner);
  };
  blocks(block);
  return edits;
}

/** Null if nothing else is known to be safe. */
function drawnFor(attribute: string, code: string, choice: SeededChoice): string | null {
  const [, quote = '', text = ''] = /^(["']?)([^"'\n]*)\1$/.exec(code) ?? [];
  const name = attribute.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const kind = (kinds().get(name) ?? []).find((one) => isOfKind(one, text));
  if (!kind) return null;
  const drawn = kind.values ? choice.one(kind.values) : choice.between(...(kind.range ?? [0, 0]));
  return `${quote}${drawn}${quote}`;
}

function isOfKind({ if: only, values, range }: Kind, text: string): boolean {
  const known = only ?? values;
  if (known) return known.some((one) => String(one) === text);
  return range !== undefined && /^\d+$/.test(text);
}
