import { endOfString } from './nesting.ts';

/**
 * A key that occurs twice in a JSON object, or in a map directly inside it under one of the keys `inside`: JSON.parse
 * silently takes the last. The text has to be valid JSON. Undefined when every key occurs once.
 */
export function duplicateKey(json: string, inside: readonly string[]): string | undefined {
  /** For every open map, its keys so far and the last of them; null for a list. */
  const open: ({ keys: Set<string>; last: string } | null)[] = [];
  let isKey = false;
  // By hand: a regular expression runs out of memory on a text of many megabytes.
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? { keys: new Set(), last: '' } : null);
      isKey = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      isKey = open.at(-1) !== null;
    } else if (character === '"') {
      const end = endOfString(json, at) + 1;
      const map = open.at(-1);
      const watched = open.length === 1 || (open.length === 2 && inside.includes(open[0]?.last ?? ''));
      if (isKey && map && watched) {
        map.last = String(JSON.parse(json.slice(at, end)));
        if (map.keys.has(map.last)) return map.last;
        map.keys.add(map.last);
      }
      isKey = false;
      at = end - 1;
    }
  }
  return undefined;
}
