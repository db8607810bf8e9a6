import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { readLimitedSync } from '../../text/read-limited.ts';

type Env = Record<string, string | undefined>;

const MOST_BYTES = 1024 * 1024;
/** Shorter values, such as `true`, occur in ordinary texts. */
const SHORTEST_SECRET = 8;

/** The variables of a project: those of `env_file`, if salvo.yaml names one, and those of the process, which win. */
export function projectEnv(project: Project, env: Env): Env {
  return { ...variablesOf(project), ...env };
}

/** The values of `env_file`. It is a file for credentials, so none of them is stored, whatever its name is. */
export function envFileSecrets(project: Project): string[] {
  return Object.values(variablesOf(project)).flatMap((value) =>
    value !== undefined && value.length >= SHORTEST_SECRET ? [value] : [],
  );
}

function variablesOf({ root, config }: Project): Env {
  if (config.env_file === undefined) return {};
  const file = resolve(root, config.env_file);
  return parseEnv(textOf(file));
}

function textOf(file: string): string {
  try {
    const bytes = statSync(file).isFile() ? readLimitedSync(file, MOST_BYTES) : null;
    if (bytes) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(file, errorMessage(cause), cause);
  }
  throw unreadable(file, 'it is not a file of less than 1 MB');
}

function unreadable(file: string, reason: string, cause?: unknown): SalvoError {
  return new SalvoError('FILE_UNREADABLE', `env_file in salvo.yaml names ${file}, which cannot be read: ${reason}.`, {
    cause,
  });
}
