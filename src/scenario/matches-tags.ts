import type { Scenario } from './schema/scenario-schema.ts';

/** Whether a scenario has all the tags wanted: `fast`, or `tier=1` for an entry of a map (or of a list, as it is). */
export function matchesTags(tags: Scenario['tags'], wanted: string[]): boolean {
  return wanted.every((tag) => (Array.isArray(tags) ? tags.includes(tag) : hasEntry(tags ?? {}, tag)));
}

function hasEntry(tags: Record<string, string | number | boolean>, tag: string): boolean {
  // `fast: false` says that it does not have the tag.
  if (Object.hasOwn(tags, tag)) return tags[tag] !== false;
  return Object.entries(tags).some(([key, value]) => tag === `${key}=${value}`);
}
