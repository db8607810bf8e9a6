import { dataFile, memoByKey, once, remembered } from 'salvo/kit/text';
import { z } from 'zod';
import { readEntries } from './weakness.ts';

const ids = z.array(z.string()).min(1);
/** The head of relations.jsonl explains the kinds. */
const relationSchema = z.strictObject({
  weakness: z.string(),
  implies: ids.optional(),
  part_of: ids.optional(),
  same_as: ids.optional(),
  same_at_document: ids.optional(),
  named_in_part_by: ids.optional(),
});

/**
 * Every line of relations.jsonl, which is read when it is first needed.
 * @internal Exported for its tests.
 */
export const allRelations = once(() =>
  readEntries(relationSchema, 'relations.jsonl', dataFile(import.meta.url, './relations.jsonl')),
);

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

/** The weaknesses whose rules report a weakness at its own document or resource: what its name is there. */
export function namesAtDocument(weakness: string): ReadonlySet<string> {
  return graph().atDocument.get(weakness) ?? NONE;
}

/** The weaknesses whose rules fire because of a weakness and say a part of what is wrong. */
export function namesInPart(weakness: string): ReadonlySet<string> {
  return graph().inPart.get(weakness) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

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
  atDocument: Links;
  inPart: Links;
}

const graph = once((): Graph => {
  const links = {
    same: new Map(),
    implied: new Map(),
    wholes: new Map(),
    parts: new Map(),
    atDocument: new Map(),
    inPart: new Map(),
  };
  const add = (kind: keyof Graph, from: string, to: string) =>
    remembered(links[kind], from, () => new Set<string>()).add(to);
  for (const { weakness, same_as = [], implies = [], part_of = [], ...named } of allRelations()) {
    for (const other of same_as) {
      add('same', weakness, other);
      add('same', other, weakness);
    }
    for (const other of named.same_at_document ?? []) {
      add('atDocument', weakness, other);
      add('atDocument', other, weakness);
    }
    for (const other of named.named_in_part_by ?? []) add('inPart', weakness, other);
    for (const other of implies) add('implied', weakness, other);
    for (const whole of part_of) {
      add('wholes', weakness, whole);
      add('parts', whole, weakness);
    }
  }
  return links;
});

/** Everything that follows by `implies`, also through others and under their other names. */
const implied = memoByKey((weakness): ReadonlySet<string> => {
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
  return found;
});
