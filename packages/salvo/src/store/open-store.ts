import { existsSync } from 'node:fs';
import path from 'node:path';
import { missingPackage, openDoors } from '../extension/load-extension.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import type { DatabasePatience } from './database-url.ts';
import { redactingStore } from './redaction/redacting-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store } from './store.ts';

interface OpenStoreOptions {
  /** Values that must appear nowhere in the store. */
  secrets: string[];
  /** The address of a database; null for a file of the project. */
  databaseUrl: string | null;
  /** A command that only reads must not leave an empty store behind. */
  mustExist?: boolean;
  /** Nothing will be written, so it need not be possible. */
  readOnly?: boolean;
  /** Whether missing tables are created. Default: as salvo.yaml says. */
  migrate?: boolean;
  /** If not given, a database that can't be reached is an error at once. */
  patience?: DatabasePatience | undefined;
}

export interface DatabaseOptions {
  url: string;
  /** Refuses a database without our tables. */
  mustExist?: boolean;
  /** Whether tables are created and changed where that is needed. */
  migrate?: boolean;
  /** Takes secrets out of what is not written through the store. */
  redact?: (text: string) => string;
  patience?: DatabasePatience | undefined;
}

/** A program that keeps stores, which any number of processes on any machine can share. */
interface DatabaseEngine {
  /** How its addresses begin, such as `postgres:`. */
  protocols: readonly string[];
  open(options: DatabaseOptions): Promise<Store>;
  /** Creates all tables, or brings them to this version. Returns where the database is. */
  migrate(url: string): Promise<string>;
}

declare module '../extension/extension.ts' {
  interface Doors {
    database: DatabaseEngine;
  }
}

/** The project's store, with redaction in front of it. */
export async function openStore(project: Project, options: OpenStoreOptions): Promise<Store> {
  const redactor = projectRedactor(project, options.secrets);
  const store = await openUnredacted(project, options, redactor);
  return redactingStore(store, { redactor, mode: project.config.recording.mode });
}

async function openUnredacted(project: Project, options: OpenStoreOptions, redactor: Redactor): Promise<Store> {
  const { mustExist = false, readOnly = false, databaseUrl, patience } = options;
  if (databaseUrl !== null) {
    const { migrate = project.config.database_migrate } = options;
    const engine = await databaseEngine(databaseUrl);
    return engine.open({ url: databaseUrl, mustExist, migrate, redact: redactor.text, patience });
  }
  const file = path.resolve(project.root, project.config.storage_dir, 'salvo.db');
  if (mustExist && !existsSync(file)) {
    const { nothingStored } = await import('./resolve-id.ts');
    throw nothingStored(`There is no ${file}.`);
  }
  return openSqliteStore({ file, readOnly });
}

/** Creates the tables of the project's store, or brings them to this version. Returns where they are. */
export async function migrateStore(project: Project, databaseUrl: string | null): Promise<string> {
  if (databaseUrl !== null) {
    return await (await databaseEngine(databaseUrl)).migrate(databaseUrl);
  }
  const store = await openUnredacted(project, { secrets: [], databaseUrl }, projectRedactor(project, []));
  const { place } = await store.describe();
  await store.close();
  return place;
}

/** The address is not quoted in errors: it may have a password in it. */
async function databaseEngine(url: string): Promise<DatabaseEngine> {
  const protocol = URL.parse(url)?.protocol ?? '';
  const engines = await openDoors('database');
  // One that is alone explains what is wrong with the address.
  const engine = engines.find(({ protocols }) => protocols.includes(protocol)) ?? (engines.length === 1 && engines[0]);
  if (engine) return engine;
  if (engines.length === 0) throw missingPackage('salvo-postgres', 'A store in a database');
  const known = engines.flatMap(({ protocols }) => protocols.map((each) => `${each}//`)).join(', ');
  throw new SalvoError('DATABASE_URL_INVALID', `The address of the database must begin with one of: ${known}.`);
}

/** A store in a file, to read all of it. A file that is damaged or not ours is refused. */
export async function openStoreFile(file: string): Promise<Store> {
  if (!existsSync(file)) throw new SalvoError('FILE_UNREADABLE', `There is no file ${file}.`);
  return await openSqliteStore({ file, readOnly: true, isChecked: true });
}

function projectRedactor({ config }: Project, secrets: string[]): Redactor {
  return createRedactor({ customPatterns: config.recording.custom_redaction_patterns, secrets });
}
