import type { MigrationNotes } from './notes.ts';

/** A project of Salvo that was made of another tool's files, before it is written. */
export interface Migration {
  /** The file that was read, absolute. */
  source: string;
  /** The texts of the files, by their path in the project. */
  files: ReadonlyMap<string, string>;
  notes: MigrationNotes;
  scenarios: number;
  rows: { read: number; written: number; only_shown: number };
}

/** What the user chose instead of what the files say. */
export interface MigrationChoices {
  adapter?: string | undefined;
  model?: string | undefined;
}
