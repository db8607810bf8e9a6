import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { migrationNotice } from '../documents/document-codec.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

export interface BackupOptions {
  /** Opens the file a second time. */
  openAgain: () => DatabaseSync;
  /** A line for the person whose store it is. */
  announce: (line: string) => void;
}

/** Brings the tables up to date: all of it or nothing, with a copy of the file beside it, and not without a word. */
export function migrateWithBackup(database: DatabaseSync, file: string, options: BackupOptions): void {
  const { openAgain, announce } = options;
  const backups: { from: number; copy: string }[] = [];
  const before = (from: number): void => {
    const copy = freeName(file, from);
    backups.push({ from, copy });
    copyDatabase(openAgain(), copy);
  };
  try {
    migrate(database, file, { before });
  } catch (error) {
    for (const { copy } of backups) rmSync(copy, { force: true });
    throw error;
  }
  for (const { from, copy } of backups) {
    const kept = `As it was before: ${path.basename(copy)}, in the same folder.`;
    announce(migrationNotice({ place: file, from, to: MIGRATIONS.length, kept }));
  }
}

/** With everything that is still in the log, and as of one moment. */
function copyDatabase(database: DatabaseSync, copy: string): void {
  try {
    database.prepare('VACUUM INTO ?').run(copy);
  } finally {
    database.close();
  }
}

/** A backup is never overwritten. */
function freeName(file: string, version: number): string {
  const nameAt = (count: number) => `${file}.v${version}${count === 1 ? '' : `-${count}`}.backup`;
  let count = 1;
  while (existsSync(nameAt(count))) count += 1;
  return nameAt(count);
}
