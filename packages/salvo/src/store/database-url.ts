import type { ProjectConfig } from '../scenario/schema/project-schema.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

type Environment = Record<string, string | undefined>;

/** The variables of PostgreSQL's own programs for what an address does not say about encryption. */
const VARIABLES = { sslmode: 'PGSSLMODE', sslrootcert: 'PGSSLROOTCERT', sslcert: 'PGSSLCERT', sslkey: 'PGSSLKEY' };

/** The address of the project's database; null if its results are in a file. The environment takes precedence. */
export function databaseUrl(config: Pick<ProjectConfig, 'database_url'>, env: Environment): string | null {
  const url = writtenUrl(config, env);
  const address = url === null ? null : URL.parse(url);
  const unsaid = Object.entries(VARIABLES).filter(([name, each]) => env[each] && !address?.searchParams.has(name));
  if (address === null || unsaid.length === 0) return url;
  for (const [name, variable] of unsaid) address.searchParams.set(name, env[variable] ?? '');
  return address.href;
}

function writtenUrl({ database_url }: Pick<ProjectConfig, 'database_url'>, env: Environment): string | null {
  if (env.SALVO_DATABASE_URL) return env.SALVO_DATABASE_URL;
  if (database_url === undefined) return null;
  return database_url.replace(VARIABLE, (_, name: string) => {
    const value = env[name];
    if (value) return value;
    throw new SalvoError(
      'DATABASE_URL_INVALID',
      `database_url in salvo.yaml needs the environment variable ${name}, which is not set. Set it, or SALVO_DATABASE_URL.`,
    );
  });
}

/** What nobody may see of the address of a database. */
export function databaseSecrets(url: string | null): string[] {
  return url === null ? [] : passwordsIn(url);
}

/** The password in an address, if there is one: as it is written there, and what it means. */
function passwordsIn(url: string): string[] {
  const parsed = URL.parse(url);
  const written = parsed?.password ?? '';
  const found = [written, decoded(written), parsed?.searchParams.get('password') ?? ''];
  return [...new Set(found)].filter((password) => password !== '');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** How a process waits for a database that can't be reached: it may be restarting. */
export interface DatabasePatience {
  /** When the process starts. */
  seconds: number;
  /** Later, when it has work under way. */
  outageSeconds: number;
  /** Called with a sentence for the user: when the process begins to wait, and now and then in a long outage. */
  onWaiting: (message: string) => void;
  /** Aborted when the user does not want to wait any longer. */
  signal?: AbortSignal | undefined;
}

/** How long a process waits at its start. */
export const PATIENCE_SECONDS = 60;
/** How long a process with work under way waits: what it has paid for should not be lost to a long outage. */
export const OUTAGE_SECONDS = 3600;
