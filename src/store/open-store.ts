import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Project } from '../scenario/schema/project-schema.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { redactingStore } from './redaction/redacting-store.ts';
import { nothingStored } from './resolve-id.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

/** The project's store, with redaction in front of it. `secrets` are the values that must appear nowhere in it. */
export async function openStore(
  project: Project,
  { secrets, mustExist = false, readOnly = false }: { secrets: string[]; mustExist?: boolean; readOnly?: boolean },
): Promise<Store> {
  const { storage_dir, recording } = project.config;
  const file = path.resolve(project.root, storage_dir, 'salvo.db');
  // A command that only reads must not leave an empty store behind.
  if (mustExist && !existsSync(file)) throw nothingStored(file);
  const redactor = createRedactor({ customPatterns: recording.custom_redaction_patterns, secrets });
  return redactingStore(await openSqliteStore({ file, readOnly }), { redactor, mode: recording.mode });
}
