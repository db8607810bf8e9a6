import type { Attribute, Expression } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';

/**
 * The attribute that a path leads to: `['ingress', 0, 'cidr_blocks']` in a block, or `['Tags', 1, 'Value']` in a value.
 * The innermost one that is written out, so that there is a line to point at even where the value itself comes from a
 * variable; null when not even the first step is there.
 */
export function attributeAt(from: Block | Expression, path: readonly (string | number)[]): Attribute | null {
  let at: Block | Expression | undefined = from;
  let found: Attribute | null = null;
  for (let index = 0; at !== undefined && index < path.length; index += 1) {
    const step: string | number = path[index] ?? '';
    if ('bodyRange' in at) {
      const name = String(step);
      const attribute: Attribute | undefined = at.attributes.find((candidate) => candidate.name === name);
      if (attribute) {
        found = attribute;
        at = attribute.value;
        continue;
      }
      const nested: Block[] = at.blocks.filter((candidate) => candidate.type === name);
      const next = path[index + 1];
      if (typeof next === 'number') index += 1;
      at = nested[typeof next === 'number' ? next : 0];
    } else if (at.kind === 'list') at = at.items[Number(step)];
    else if (at.kind === 'object') {
      const entry: Attribute | undefined = at.entries.find((candidate) => candidate.name === String(step));
      found = entry ?? found;
      at = entry?.value;
    } else if (at.kind === 'call' && at.name === 'jsonencode') {
      at = at.args[0];
      index -= 1;
    } else at = undefined;
  }
  return found;
}
