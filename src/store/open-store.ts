import path from 'node:path';
import type { Project } from '../scenario/project-schema.ts';
import { createRedactor } from '../trace/redaction.ts';
import { redactingStore } from './redacting-store.ts';
import { openSqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

/** The project's store, with redaction in front of it. `secrets` are the values that must appear nowhere in it. */
export async function openStore(project: Project, { secrets }: { secrets: string[] }): Promise<Store> {
  const { storage_dir, recording } = project.config;
  const redactor = await createRedactor({
    mode: recording.mode,
    customPatterns: recording.custom_redaction_patterns,
    secrets,
  });
  const store = await openSqliteStore({ file: path.resolve(project.root, storage_dir, 'salvo.db') });
  return redactingStore(store, redactor);
}
