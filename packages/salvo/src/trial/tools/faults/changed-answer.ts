import { isNestedTooDeeply } from '../../../text/json/nesting.ts';

/**
 * Answers of a tool that went wrong on their way. Each returns null if the answer has nothing that this could happen to, so
 * that no fault is recorded.
 */

/** Cut off somewhere between its third and its fifth sixth. */
export function truncated(content: string, random: () => number): string | null {
  const kept = Math.max(1, Math.floor(content.length * (0.5 + random() / 3)));
  return kept < content.length ? content.slice(0, kept) : null;
}

/** Numbers and booleans as texts. If there is neither, texts as lists with one entry. */
export function wrongTypes(content: string): string | null {
  const parsed = parse(content);
  if (!parsed) return null;
  let isChanged = false;
  const changed = mapLeaves(parsed.value, (leaf) => {
    if (typeof leaf !== 'number' && typeof leaf !== 'boolean') return leaf;
    isChanged = true;
    return String(leaf);
  });
  if (isChanged) return JSON.stringify(changed);
  const wrapped = mapLeaves(parsed.value, (leaf) => (typeof leaf === 'string' ? [leaf] : leaf));
  const text = JSON.stringify(wrapped);
  return text === JSON.stringify(parsed.value) ? null : text;
}

/** Every list in it without entries. An answer without lists becomes an empty list. */
export function emptyList(content: string): string | null {
  const parsed = parse(content);
  const emptied = parsed && mapLists(parsed.value, (list) => (list.length === 0 ? null : []));
  const text = emptied?.isChanged ? JSON.stringify(emptied.value) : '[]';
  return text === content.trim() ? null : text;
}

/** The entries of every list twice. */
export function duplicates(content: string): string | null {
  const parsed = parse(content);
  if (!parsed) return null;
  const { value, isChanged } = mapLists(parsed.value, (list) =>
    list.length === 0 ? null : list.flatMap((entry) => [entry, entry]),
  );
  return isChanged ? JSON.stringify(value) : null;
}

/** Null for a text that is no JSON, or that is nested so deeply that it could not be written again. */
function parse(content: string): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(content);
    return isNestedTooDeeply(value) ? null : { value };
  } catch {
    return null;
  }
}

function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => mapLeaves(entry, change));
  if (typeof value !== 'object' || value === null) return change(value);
  return ownEntries(value, (entry) => mapLeaves(entry, change));
}

/** `change` returns null for a list that stays. Lists inside of a changed one are not looked at. */
function mapLists(
  value: unknown,
  change: (list: unknown[]) => unknown[] | null,
): { value: unknown; isChanged: boolean } {
  let isChanged = false;
  const walk = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (!Array.isArray(part)) return ownEntries(part, walk);
    const changed = change(part);
    isChanged ||= changed !== null;
    return changed ?? part;
  };
  return { value: walk(value), isChanged };
}

/** A key such as __proto__ stays a key. */
function ownEntries(value: object, change: (entry: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, change(entry)]));
}
