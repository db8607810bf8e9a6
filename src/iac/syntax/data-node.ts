import type { TextRange } from './expression.ts';

/** YAML and JSON in one form: values with their positions, before anyone asks what they mean. */
export type DataNode = DataScalar | DataList | DataMap;

interface Placed {
  /** `!Sub` and the like; null for what has none. */
  tag: string | null;
  /** With the tag, the quotes and the brackets; without blanks and line breaks behind it. */
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
  /** Stands elsewhere when the entry is an alias of it. */
  value: DataNode;
  /** Where the entry ends. */
  end: number;
}

/** What a text holds; null when nothing could be read. */
export interface DataDocument {
  root: DataNode | null;
  comments: TextRange[];
  problems: DataProblem[];
}

export interface DataProblem {
  offset: number;
  message: string;
}

/** Few enough for every function that follows the nesting. */
export const MAX_DATA_DEPTH = 100;
