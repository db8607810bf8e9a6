import { endOfString } from './nesting.ts';

/**
 * The first key that one object of a JSON text has twice; null when every key is there once. `JSON.parse` keeps the
 * last of them without a word, so the text has to be searched. Takes linear time.
 */
export function doubledKey(json: string): string | null {
  return doubledKeyAt(json)?.key ?? null;
}

/** The same with the place of its second occurrence. */
export function doubledKeyAt(json: string): { key: string; offset: number } | null {
  /** The keys of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  for (let index = 0; index < json.length; index += 1) {
    switch (json[index]) {
      case '{':
        open.push(new Set());
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
        isKey = open.at(-1) instanceof Set;
        break;
      case '"': {
        const end = endOfString(json, index);
        const keys = open.at(-1);
        if (isKey && keys) {
          const key = unescaped(json.slice(index, end + 1));
          if (keys.has(key)) return { key, offset: index };
          keys.add(key);
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
