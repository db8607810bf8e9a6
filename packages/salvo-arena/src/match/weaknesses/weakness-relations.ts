import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';

const ids = z.array(z.string()).min(1);
/** The head of relations.jsonl explains the three kinds. */
const relationSchema = z.strictObject({
  weakness: z.string(),
  implies: ids.optional(),
  part_of: ids.optional(),
  same_as: ids.optional(),
});

type WeaknessRelations = z.infer<typeof relationSchema>;

/**
 * Every line of relations.jsonl, which is read when it is first needed.
 * @internal Exported for its tests.
 */
export const allRelations = once((): readonly WeaknessRelations[] => {
  const lines = dataFile(import.meta.url, './relations.jsonl').split('\n');
  return lines.flatMap((line, number) => {
    if (line.trim() === '' || line.startsWith('//')) return [];
    try {
      return [relationSchema.parse(JSON.parse(line))];
    } catch (error) {
      throw new Error(`relations.jsonl:${number + 1} is not a relation of weaknesses.`, { cause: error });
    }
  });
});

/** The other names of a weakness. */
export function otherNames(weakness: string): Iterable<string> {
  return graph().same.get(weakness) ?? [];
}

/**
 * Why a finding about `other` follows from code that has `weakness`, in words: it implies the other, or one is part of
 * the other. Null when neither holds.
 */
export function whyItFollows(weakness: string, other: string): string | null {
  if (implied(weakness).has(other)) return `${weakness} implies ${other}`;
  const { wholes, parts } = graph();
  if (wholes.get(weakness)?.has(other)) return `${weakness} is part of ${other}`;
  if (parts.get(weakness)?.has(other)) return `${other} is part of ${weakness}`;
  return null;
}

/** The weaknesses that a weakness is a part of. @internal */
export function wholesOf(weakness: string): Iterable<string> {
  return graph().wholes.get(weakness) ?? [];
}

type Links = ReadonlyMap<string, ReadonlySet<string>>;

interface Graph {
  same: Links;
  implied: Links;
  wholes: Links;
  parts: Links;
}

const graph = once((): Graph => {
  const [same, implies, wholes, parts] = [newLinks(), newLinks(), newLinks(), newLinks()];
  for (const relation of allRelations()) {
    for (const other of relation.same_as ?? []) {
      same.add(relation.weakness, other);
      same.add(other, relation.weakness);
    }
    for (const other of relation.implies ?? []) implies.add(relation.weakness, other);
    for (const whole of relation.part_of ?? []) {
      wholes.add(relation.weakness, whole);
      parts.add(whole, relation.weakness);
    }
  }
  return { same: same.links, implied: implies.links, wholes: wholes.links, parts: parts.links };
});

function newLinks() {
  const links = new Map<string, Set<string>>();
  return {
    links,
    add(from: string, to: string): void {
      const known = links.get(from);
      if (known) known.add(to);
      else links.set(from, new Set([to]));
    },
  };
}

const closures = new Map<string, ReadonlySet<string>>();

/** Everything that follows by `implies`, also through others and under their other names. */
function implied(weakness: string): ReadonlySet<string> {
  const known = closures.get(weakness);
  if (known) return known;
  const { implied: links, same } = graph();
  const found = new Set<string>();
  const waiting = [weakness];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const other of [...(links.get(next) ?? []), ...(same.get(next) ?? [])]) {
      if (found.has(other)) continue;
      found.add(other);
      waiting.push(other);
    }
  }
  for (const name of [weakness, ...otherNames(weakness)]) found.delete(name);
  closures.set(weakness, found);
  return found;
}
