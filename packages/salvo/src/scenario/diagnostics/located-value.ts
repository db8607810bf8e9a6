import type { Span } from '../../text/source-text.ts';

export type Path = readonly (string | number)[];

/** `tools[0].name` */
export function pathText(path: Path): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text.replace(/^\./, '');
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      at !== null && typeof at === 'object' && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  );
}

/** A value read from a file, with the position of it and of everything in it. Aliases and includes share nodes. */
export interface LocatedValue {
  value: unknown;
  span: Span;
  children: ReadonlyMap<string | number, LocatedChild>;
  /** Roughly how much memory it needs, with aliases and includes counted each time they are used. */
  size: number;
  /** The number of levels below it. */
  height: number;
  /** It could not be read, which has been reported: report nothing else about it. */
  broken: boolean;
}

export interface LocatedChild {
  /** Not set for entries of a list. */
  key?: Span | undefined;
  node: LocatedValue;
}

export interface Location {
  /** Of the value at the path, or of the nearest parent that exists. */
  span: Span;
  /** Whether the path leads to or through something broken. */
  broken: boolean;
}

/** The position of the key or value at `path`; of the map it should be in when it is missing. */
export function locate(root: LocatedValue, path: Path, at: 'key' | 'value'): Location {
  let node = root;
  let key: Span | undefined;
  for (const step of path) {
    if (node.broken) break;
    const child = node.children.get(step);
    if (!child) return { span: key ?? { ...node.span, end: node.span.start }, broken: false };
    key = child.key;
    node = child.node;
  }
  return { span: at === 'key' && key ? key : node.span, broken: node.broken };
}
