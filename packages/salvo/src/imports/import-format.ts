import type { Trace } from '../trace/trace.ts';

/** A line of a file, an element of its list, or the whole of it. */
export interface FileRecord {
  value: unknown;
  /** The line of the file on which it begins, from 1. */
  line: number;
}

/** Something that a file says and that Salvo could not keep. */
export interface Loss {
  line: number;
  /** Where it is in the record: `messages[3].content[0]`. */
  place: string;
  /** What is wrong, as the end of a sentence. */
  problem: string;
}

/** What the file itself says about how a conversation ended. It was given by others, and not judged by Salvo. */
export interface GivenOutcome {
  /** Null if the file says only a reward. */
  passed: boolean | null;
  reward: number | null;
  /** Further verdicts and scores, by their names in the file. */
  scores: Record<string, number | boolean | string>;
}

/** One conversation of a file, in our words. */
export interface ImportedConversation {
  line: number;
  /** What the file calls it; null if it has no id. */
  id: string | null;
  trace: Trace;
  /** What it belongs to, such as a benchmark's domain or the name of an evaluation; null if the file does not say. */
  suite: string | null;
  /** The task: conversations with the same case are trials of it. Null if the format has none. */
  case: string | null;
  trial: number | null;
  given: GivenOutcome | null;
  /** The record without its messages: `--case`, `--trial`, `--passed` and `--reward` name fields of it. */
  fields: Record<string, unknown>;
  /** Fields that no reader knows. They are stored beside the trace. */
  aside: Record<string, unknown>;
  losses: Loss[];
}

/**
 * A form in which others write down conversations. `record`: each record holds one or more by itself. `file`: all records of a
 * file belong together, as in a session file. `parts`: records are parts of traces, and those of one trace may be anywhere in
 * the file, as spans are.
 */
export interface ImportFormat {
  /** How `--format` calls it. */
  name: string;
  /** How messages call it. */
  title: string;
  unit: 'record' | 'file' | 'parts';
  /**
   * Where a single document has its list of conversations: `simulations`, or with dots `results.results`. So that a large file
   * need not be in memory as a whole, its elements may be given one by one, each as a record that is the document up to the
   * list, with this element alone in the list. The lines are those of the elements. A reader must not need what follows the list.
   */
  lists?: readonly string[];
  /** Looks at the first record of a file that says anything. It must be cheap, and certain: another format may come after it. */
  recognises(value: unknown): boolean;
  /** Of `parts` only: to which traces the parts of a record belong. */
  partsOf?(record: FileRecord): Iterable<{ key: string; part: FileRecord }>;
  /**
   * The conversations of a record, of a file or of the parts of a trace. Throws a `FormError` if nothing can be read; what can
   * be read without a part of it has a loss.
   */
  read(records: readonly FileRecord[]): Iterable<ImportedConversation>;
  /** Of `file` only: a small document beside a file that tells about it. Where it is there, it is the last record, on line 0. */
  companion?(path: string): string | null;
  /** Of a format whose files are no text, such as archives: looks at the first bytes of a file. */
  recognisesBytes?(head: Uint8Array): boolean;
  /** The conversations of a file that is no text. */
  readBytes?(path: string): AsyncIterable<ImportedConversation>;
}
