import type { TextRange } from './expression.ts';

/** YAML and JSON in one form: values with their positions. */
export type DataNode = DataScalar | DataList | DataMap;

interface Placed {
  /** Such as `!Sub`. */
  tag: string | null;
  /** With tag, quotes and brackets, but without trailing blanks and line breaks. */
  range: TextRange;
}

export interface DataScalar extends Placed {
  kind: 'scalar';
  value: string | number | boolean | null;
}

interface DataList extends Placed {
  kind: 'list';
  items: DataNode[];
}

export interface DataMap extends Placed {
  kind: 'map';
  entries: DataEntry[];
}

export interface DataEntry {
  name: string;
  nameRange: TextRange;
  /** Of an alias, the value that it refers to, with the range of that value. */
  value: DataNode;
  /** Where the entry ends. */
  end: number;
}

/** A parsed text; the root is null when nothing could be read. */
export interface DataDocument {
  root: DataNode | null;
  comments: TextRange[];
  problems: DataProblem[];
}

export interface DataProblem {
  offset: number;
  message: string;
}

/** Low enough for recursive functions. */
export const MAX_DATA_DEPTH = 100;
