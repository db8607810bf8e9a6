import { isNestedTooDeeply, once, remembered } from 'salvo/kit/text';
import type { Json } from '../evaluate/value.ts';

export interface CodePlace {
  file: string;
  line: number;
  end_line: number;
}

/** A place to show to a person, with the text that is there. */
export interface Spot extends CodePlace {
  text: string;
}

/**
 * A block, a value or a part of a value, after evaluation. Terraform blocks, CloudFormation maps and JSON inside of
 * texts are read in the same way. Nodes are made by `codeReader` and `jsonNode`.
 */
export interface CodeNode {
  /** What to point at: the head of a block, or the whole value. */
  spot: Spot;
  /** All lines that the node takes up. */
  place: CodePlace;
  /** False when the code alone does not determine the value. A list or map is known even if parts of it are not. */
  known: boolean;
  /**
   * The evaluated value, with `${...}` in place of unknown parts. A block is a map of its attributes and nested blocks.
   */
  readonly json: Json;
  /** Values at `name`: of every element if this is a list, [] if absent, [this] if this node is unknown. */
  children(name: string): CodeNode[];
  /** The elements of a list; for anything else, the node itself. */
  items(): CodeNode[];
  /** The names that `children` accepts. */
  names(): string[];
}

interface NodeParts extends Pick<CodeNode, 'spot' | 'children' | 'names'> {
  place?: CodePlace;
  json(): Json;
  /** For a list. */
  items?(): CodeNode[];
}

/** A node that is known. Its value, children and items are computed on first use, and only once. */
export function knownNode({ spot, place = spot, json, children, items, names }: NodeParts): CodeNode {
  const found = new Map<string, CodeNode[]>();
  const value = once(json);
  const node: CodeNode = {
    spot,
    place,
    known: true,
    get json() {
      return value();
    },
    children: (name) => remembered(found, name, () => children(name)),
    items: once(() => (items ? items() : [node])),
    names,
  };
  return node;
}

/** A node with the place and the value of another one, and other children. */
export function withChildren(node: CodeNode, parts: Pick<CodeNode, 'children' | 'names'>): CodeNode {
  return knownNode({ spot: node.spot, place: node.place, json: () => node.json, ...parts });
}

/** A node for an evaluated value, whose parts have no places of their own. */
export function jsonNode(json: Json, spot: Spot, isCertain: boolean): CodeNode {
  const parsed = once(() => (typeof json === 'string' ? (jsonInText(json) ?? json) : json));
  const part = (value: Json) => jsonNode(value, spot, isCertain);
  const node: CodeNode = {
    spot,
    place: spot,
    get known() {
      return isCertain || typeof json !== 'string' || !json.includes('${') || typeof parsed() !== 'string';
    },
    json,
    children: (name) => {
      const value = parsed();
      return typeof value === 'string' && !node.known ? [node] : childrenOf(value, name).map(part);
    },
    items: () => {
      const value = parsed();
      return Array.isArray(value) ? value.map(part) : [node];
    },
    names: () => {
      const value = parsed();
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
    },
  };
  return node;
}

/** The first value under one of these names: an attribute in Terraform's spelling, and in CloudFormation's. */
export function firstChild(node: CodeNode, ...names: string[]): CodeNode | undefined {
  return names.flatMap((name) => node.children(name))[0];
}

const LONGEST_JSON = 500_000;

/**
 * The list or object that a text encodes, such as a policy; null for any other text. People write a comma after the last
 * item, as in Terraform: AWS refuses it, but what they mean is clear.
 */
export function jsonInText(text: string): Json | null {
  if (text.length > LONGEST_JSON || !/^\s*[[{]/.test(text)) return null;
  const value = parsedJson(text) ?? parsedJson(text.replace(/,(?=\s{0,200}[\]}])/g, ''));
  return typeof value === 'object' && !isNestedTooDeeply(value) ? value : null;
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function childrenOf(json: Json, name: string): Json[] {
  if (Array.isArray(json)) return json.flatMap((item) => (Array.isArray(item) ? [] : childrenOf(item, name)));
  if (typeof json !== 'object' || json === null || !Object.hasOwn(json, name)) return [];
  const child = json[name];
  return child === undefined || child === null ? [] : [child];
}
