import { endOfString } from './nesting.ts';

/**
 * The first key that one object of a JSON text has twice; null when every key is there once. `JSON.parse` keeps the
 * last of them without a word, so the text has to be searched. Takes linear time. `inside`: only the outermost object
 * and those directly under these keys of it are searched.
 */
export function doubledKey(json: string, inside?: readonly string[]): string | null {
  return doubledKeyAt(json, inside)?.key ?? null;
}

/** The same with the place of its second occurrence. */
export function doubledKeyAt(json: string, inside?: readonly string[]): { key: string; offset: number } | null {
  /** The keys of each open object so far, and the last of them; null for a list. */
  const open: ({ keys: Set<string>; last: string } | null)[] = [];
  const isSearched = () => !inside || open.length === 1 || (open.length === 2 && inside.includes(open[0]?.last ?? ''));
  let isKey = false;
  for (let index = 0; index < json.length; index += 1) {
    switch (json[index]) {
      case '{':
        open.push({ keys: new Set(), last: '' });
        isKey = true;
        break;
      case '[':
        open.push(null);
        isKey = false;
        break;
      case '}':
      case ']':
        open.pop();
        isKey = false;
        break;
      case ',':
        isKey = (open.at(-1) ?? null) !== null;
        break;
      case '"': {
        const end = endOfString(json, index);
        const object = open.at(-1);
        if (isKey && object && isSearched()) {
          const key = unescaped(json.slice(index, end + 1));
          if (object.keys.has(key)) return { key, offset: index };
          object.keys.add(key);
          object.last = key;
        }
        isKey = false;
        index = end;
      }
    }
  }
  return null;
}

/** Two spellings of one key, such as "a" and "\u0061", are the same key. */
function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.slice(1, -1);
  }
}
