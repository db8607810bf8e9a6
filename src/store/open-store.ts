import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RunRecord } from '../run/run-record.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { createDocumentRedactor } from './redaction/redact-document.ts';
import { redactingStore } from './redaction/redacting-store.ts';
import { nothingStored } from './resolve-id.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';
import { runRecordSchema } from './stored-documents.ts';

/** The project's store, with redaction in front of it. `secrets` are the values that must appear nowhere in it. */
export async function openStore(
  project: Project,
  { secrets, mustExist = false, readOnly = false }: { secrets: string[]; mustExist?: boolean; readOnly?: boolean },
): Promise<Store> {
  const { storage_dir, recording } = project.config;
  const file = path.resolve(project.root, storage_dir, 'salvo.db');
  // A command that only reads must not leave an empty store behind.
  if (mustExist && !existsSync(file)) throw nothingStored(file);
  const redactor = projectRedactor(project, secrets);
  return redactingStore(await openSqliteStore({ file, readOnly }), { redactor, mode: recording.mode });
}

/** A run as the project's store would keep it, without secrets. Nothing is stored. */
export function asStored(project: Project, run: RunRecord, { secrets }: { secrets: string[] }): RunRecord {
  const redactor = projectRedactor(project, secrets);
  return createDocumentRedactor({ redactor, mode: project.config.recording.mode })(runRecordSchema, run);
}

function projectRedactor({ config }: Project, secrets: string[]): Redactor {
  return createRedactor({ customPatterns: config.recording.custom_redaction_patterns, secrets });
}
