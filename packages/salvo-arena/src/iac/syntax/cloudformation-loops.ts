import type { DataEntry, DataMap, DataNode, DataProblem } from './data-node.ts';

const LOOP = 'Fn::ForEach::';

/** How many values all loops of a template together may create. */
const MOST_VALUES = 100_000;

interface Expansion {
  parameters: DataNode | undefined;
  left: number;
}

/**
 * A template with its loops written out. `Fn::ForEach::Topics: [Name, [Orders, Returns], {"Topic${Name}": {...}}]`
 * becomes the entries `TopicOrders` and `TopicReturns`, which have the positions of the one that is written. A loop over
 * something that the template does not determine stays one entry, `Topic${Name}`.
 */
export function withoutLoops(template: DataMap, problems: DataProblem[]): DataMap {
  const expansion = { parameters: entryOf(template, 'Parameters'), left: MOST_VALUES };
  const entries = expandedEntries(expansion, template.entries, new Map());
  if (expansion.left < 0) {
    problems.push({ offset: template.range.start, message: `its loops create more than ${MOST_VALUES} values` });
  }
  return { ...template, entries };
}

type Bound = ReadonlyMap<string, string>;

function expandedEntries(expansion: Expansion, entries: readonly DataEntry[], bound: Bound): DataEntry[] {
  return entries.flatMap((entry) => {
    const loop = entry.name.startsWith(LOOP) ? loopOf(expansion, entry.value, bound) : null;
    if (!loop) {
      return [{ ...entry, name: filledIn(entry.name, bound), value: expanded(expansion, entry.value, bound) }];
    }
    return loop.items.flatMap((item) => {
      expansion.left -= 1;
      if (expansion.left < 0) return [];
      const inner = item === null ? bound : new Map(bound).set(loop.identifier, item);
      return expandedEntries(expansion, loop.body.entries, inner);
    });
  });
}

/** Null for what is not of the form of a loop. Its items are a single null if they are not known. */
function loopOf(expansion: Expansion, value: DataNode, bound: Bound) {
  const [identifier, collection, body] = value.kind === 'list' ? value.items : [];
  if (identifier?.kind !== 'scalar' || !collection || body?.kind !== 'map') return null;
  const items = itemsOf(expansion, expanded(expansion, collection, bound));
  return { identifier: String(identifier.value), items: items ?? [null], body };
}

function itemsOf({ parameters }: Expansion, collection: DataNode): string[] | null {
  if (collection.kind === 'list') {
    const texts = collection.items.flatMap((item) =>
      item.kind === 'scalar' && item.tag === null ? [String(item.value)] : [],
    );
    return texts.length === collection.items.length ? texts : null;
  }
  const name = referredName(collection);
  const parameter = parameters?.kind === 'map' ? entryOf(parameters, name ?? '') : undefined;
  const standard = parameter?.kind === 'map' ? entryOf(parameter, 'Default') : undefined;
  if (standard?.kind !== 'scalar') return null;
  return String(standard.value)
    .split(',')
    .map((item) => item.trim());
}

function entryOf(map: DataMap, name: string): DataNode | undefined {
  return map.entries.find((entry) => entry.name === name)?.value;
}

/** `Name` for `!Ref Name` and `{Ref: Name}`. */
function referredName(node: DataNode): string | null {
  if (node.kind === 'scalar') return node.tag === '!Ref' ? String(node.value) : null;
  const [only, ...others] = node.kind === 'map' ? node.entries : [];
  return only?.name === 'Ref' && others.length === 0 && only.value.kind === 'scalar' ? String(only.value.value) : null;
}

function expanded(expansion: Expansion, node: DataNode, bound: Bound): DataNode {
  if (bound.size > 0) expansion.left -= sizeOf(node);
  if (expansion.left < 0) return node;
  const item = bound.get(referredName(node) ?? '');
  if (item !== undefined) return { kind: 'scalar', value: item, tag: null, range: node.range };
  if (node.kind === 'list') return { ...node, items: node.items.map((one) => expanded(expansion, one, bound)) };
  if (node.kind === 'map') return { ...node, entries: expandedEntries(expansion, node.entries, bound) };
  return typeof node.value === 'string' ? { ...node, value: filledIn(node.value, bound) } : node;
}

/** A long text counts more, because each item of a loop has its own copy. */
function sizeOf(node: DataNode): number {
  return node.kind === 'scalar' && typeof node.value === 'string' ? 1 + node.value.length / 100 : 1;
}

/** `&{Name}` is the item without characters that a name cannot have. */
function filledIn(text: string, bound: Bound): string {
  let filled = text;
  for (const [name, item] of bound) {
    filled = filled.replaceAll(`\${${name}}`, () => item);
    filled = filled.replaceAll(`&{${name}}`, () => item.replaceAll(/[^A-Za-z0-9]/g, ''));
  }
  return filled;
}
