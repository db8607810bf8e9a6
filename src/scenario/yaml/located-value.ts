import type { Span } from '../../text/source-text.ts';

export type Path = readonly (string | number)[];

/** A value read from a file, with where it and everything in it stands. Aliases and includes share their nodes. */
export interface LocatedValue {
  value: unknown;
  span: Span;
  children: ReadonlyMap<string | number, LocatedChild>;
  /** How much there is in it, aliases and includes counted each time they are used. */
  size: number;
  /** How many levels there are below it. */
  height: number;
  /** It could not be read, which has been reported: nothing else is worth saying about it. */
  broken: boolean;
}

export interface LocatedChild {
  /** Entries of a list have none. */
  key?: Span | undefined;
  node: LocatedValue;
}

export interface Location {
  /** Of what the path names, or of the nearest thing around it that exists. */
  span: Span;
  /** Whether the path leads to or through something broken. */
  broken: boolean;
}

/** Where the thing at `path` stands: its key or its value; the map it should stand in when it is missing. */
export function locate(root: LocatedValue, path: Path, at: 'key' | 'value'): Location {
  let node = root;
  let key: Span | undefined;
  for (const step of path) {
    if (node.broken) break;
    const child = node.children.get(step);
    if (!child) return { span: key ?? firstLine(node.span), broken: false };
    key = child.key;
    node = child.node;
  }
  return { span: at === 'key' && key ? key : node.span, broken: node.broken };
}

function firstLine(span: Span): Span {
  return { ...span, end: span.start };
}
