import type { Json } from '../../../iac/evaluate/value.ts';
import type { CodeNode, Spot } from './code-node.ts';

/** A value that is worked out and so has no parts with places of their own. */
export function jsonNode(json: Json, spot: Spot, isCertain: boolean): CodeNode {
  const node: CodeNode = {
    spot,
    known: isCertain || typeof json !== 'string' || !json.includes('${'),
    json,
    children: (name) => {
      const inside = typeof json === 'string' ? parsedText(json) : json;
      if (typeof inside === 'string') return node.known ? [] : [node];
      return childrenOf(inside, name).map((child) => jsonNode(child, spot, isCertain));
    },
    items: () => {
      const inside = typeof json === 'string' ? parsedText(json) : json;
      return Array.isArray(inside) ? inside.map((item) => jsonNode(item, spot, isCertain)) : [node];
    },
    names: () => namesOf(typeof json === 'string' ? parsedText(json) : json),
  };
  return node;
}

/** A policy may come as a text, also one with `${...}` in it. */
function parsedText(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    const parsed: Json = JSON.parse(text);
    return parsed;
  } catch {
    return text;
  }
}

function childrenOf(json: Json, name: string): Json[] {
  if (Array.isArray(json)) return json.flatMap((item) => (Array.isArray(item) ? [] : childrenOf(item, name)));
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return [];
  const child = json[name];
  return child === undefined || child === null ? [] : [child];
}

function namesOf(json: Json): string[] {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.keys(json) : [];
}
