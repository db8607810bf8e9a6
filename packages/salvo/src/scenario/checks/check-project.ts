import { type AdapterNames, readModelName } from '../../adapters/adapter-name.ts';
import { adapterOptionsSchema } from '../../adapters/adapter-options-schema.ts';
import { looksLikeSecret } from '../../secrets/mask-secrets.ts';
import { isSecretName } from '../../secrets/secret-names.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import { checkSchema } from '../diagnostics/schema-problems.ts';
import { isPluginFile, isPluginPackage } from '../project-file.ts';
import { type ProjectConfig, projectSchema } from '../schema/project-schema.ts';
import { checkAdapter, checkAskedAdapter } from './check-adapter.ts';
import { checkDecides, checkStages, warnOfRepeatedDecisions, warnOfTies } from './check-asked-judge.ts';
import { checkPattern } from './check-field.ts';
import { checkDefaultMinimums } from './check-minimums.ts';
import { codeRefusal, reportCode } from './refuse-code.ts';
import { checkFileExists } from './written-path.ts';

export interface ProjectChecks {
  root: string;
  registeredAdapters: ReadonlySet<string>;
}

export interface CheckedProject {
  /** Null when the schema is not met. */
  data: ProjectConfig | null;
  problems: Problem[];
}

/** Checks the value of salvo.yaml and lists all its problems. */
export function checkProject(value: unknown, checks: ProjectChecks): CheckedProject {
  // An empty file means the defaults.
  const given = value ?? {};
  const { data, problems: schemaProblems } = checkSchema(projectSchema, given);
  const problems: Problem[] = [...schemaProblems];
  const report: Report = (problem) => problems.push(problem);
  if (!isRecord(given)) return { data: null, problems };

  const names = { named: namedAdapters(given), registered: checks.registeredAdapters };
  const here = { names, folder: checks.root, root: checks.root };
  // Code is refused there only if a scenario uses it: see `defaultAdapterRefusals`.
  checkAdapter(report, { ...here, name: given.default_adapter, path: ['default_adapter'], mayBeCode: true });
  if (isRecord(given.judge)) {
    checkAskedAdapter(report, { ...here, name: given.judge.adapter, path: ['judge', 'adapter'] }, 'judge');
    const { adapter, mode, k } = given.judge;
    checkDecides(report, { adapter, mode, names, path: ['judge', 'adapter'] });
    (mode === 'decide' ? warnOfRepeatedDecisions : warnOfTies)(report, k, ['judge', 'k']);
    const { cascade } = given.judge;
    checkStages(report, { stages: cascade, adapter, names, path: ['judge', 'cascade'] });
    for (const [index, stage] of (Array.isArray(cascade) ? cascade : []).entries()) {
      const name = isRecord(stage) ? stage.adapter : undefined;
      checkAskedAdapter(report, { ...here, name, path: ['judge', 'cascade', index, 'adapter'] }, 'judge');
    }
  }
  if (isRecord(given.user)) {
    checkAskedAdapter(report, { ...here, name: given.user.adapter, path: ['user', 'adapter'] }, 'user');
  }
  if (isRecord(given.defaults)) checkDefaultMinimums(report, given.defaults);
  checkDatabaseUrl(report, given.database_url);
  if (Array.isArray(given.matrix)) checkMatrix(report, given.matrix, here);
  if (Array.isArray(given.plugins)) {
    for (const [index, file] of given.plugins.entries()) {
      checkCode(report, { file, root: checks.root, path: ['plugins', index] });
    }
  }
  if (given.hooks !== undefined) checkCode(report, { file: given.hooks, root: checks.root, path: ['hooks'] });
  if (isRecord(given.adapters)) {
    for (const [name, options] of Object.entries(given.adapters)) {
      checkOptions(report, { options, root: checks.root, path: ['adapters', name] });
    }
  }
  if (isRecord(given.recording) && Array.isArray(given.recording.custom_redaction_patterns)) {
    for (const [index, pattern] of given.recording.custom_redaction_patterns.entries()) {
      checkPattern(report, pattern, ['recording', 'custom_redaction_patterns', index]);
    }
  }
  return { data, problems };
}

/** The address of a database belongs into salvo.yaml, its password does not. */
function checkDatabaseUrl(report: Report, url: unknown): void {
  if (typeof url !== 'string') return;
  const path = ['database_url'];
  // A variable may be the whole address, or any part of it.
  if (!/^(postgres(ql)?:\/\/|\$\{)/.test(url)) {
    report({ code: 'invalid-value', message: 'a database is postgres://USER@HOST/DATABASE', path });
  }
  if (/^[^/]*\/\/[^/@:]*:(?!\$\{)[^@]+@/.test(url) || /[?&]password=(?!\$\{)./.test(url)) {
    report({
      severity: 'warning',
      code: 'credential',
      message: 'the password of the database is in the file, where everybody can read it',
      hint: 'set SALVO_DATABASE_URL, or write a variable of the environment in its place',
      secret: true,
      path,
    });
  }
}

/** Adapters that do not exist, and entries that are there twice. */
function checkMatrix(
  report: Report,
  entries: readonly unknown[],
  here: Pick<Parameters<typeof checkAdapter>[1], 'names' | 'folder' | 'root'>,
): void {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    if (typeof entry !== 'string' && !isRecord(entry)) continue;
    const { adapter, model } = typeof entry === 'string' ? readModelName(entry) : entry;
    const path = typeof entry === 'string' ? ['matrix', index] : ['matrix', index, 'adapter'];
    checkAdapter(report, { ...here, name: adapter, path });
    const key = JSON.stringify([adapter ?? null, model ?? null]);
    if (seen.has(key)) {
      report({ code: 'invalid-value', message: 'this is in the matrix already', path: ['matrix', index] });
    }
    seen.add(key);
  }
}

function checkCode(report: Report, { file, root, path }: { file: unknown; root: string; path: Path }): void {
  const isPlugin = path[0] === 'plugins';
  reportCode(report, codeRefusal(isPlugin ? 'a plugin' : 'a file of hooks'), path);
  // Whether a package is installed shows when it is loaded.
  if (isPlugin && typeof file === 'string' && isPluginPackage(file)) return;
  checkFileExists(report, { file, folder: root, path });
  if (typeof file !== 'string' || file === '' || isPluginFile(file)) return;
  report({ code: 'invalid-value', message: `${file} is not a .ts, .js or .mjs file`, path });
}

/** The adapters that salvo.yaml names, with their types where these are valid. */
export function namedAdapters(value: unknown): AdapterNames['named'] {
  if (!isRecord(value) || !isRecord(value.adapters)) return new Map();
  return new Map(
    Object.entries(value.adapters).map(([name, options]) => [name, adapterOptionsSchema.safeParse(options).data?.type]),
  );
}

function checkOptions(report: Report, { options, root, path }: { options: unknown; root: string; path: Path }): void {
  if (!isRecord(options)) return;
  if (options.type === 'module') checkFileExists(report, { file: options.path, folder: root, path: [...path, 'path'] });
  // The value may be the key itself: the message does not repeat it, and the source line is masked.
  if (typeof options.api_key_env === 'string' && !isVariableName(options.api_key_env)) {
    report({
      code: 'credential',
      message: 'api_key_env is the name of an environment variable, not a key',
      hint: 'such as api_key_env: OPENAI_API_KEY; if this was a real key, revoke it',
      path: [...path, 'api_key_env'],
      secret: true,
    });
  }
  if (!isRecord(options.headers)) return;
  for (const [name, header] of Object.entries(options.headers)) {
    if (typeof header !== 'string' || !holdsCredential(name, header)) continue;
    report({
      code: 'credential',
      message: `the header "${name}" contains a credential, which must not be in a file`,
      hint: `put it into an environment variable and write ${name}: \${NAME}`,
      path: [...path, 'headers', name],
      secret: true,
    });
  }
}

function isVariableName(text: string): boolean {
  // A long run of letters and digits without a break is a key, although it has the form of a name.
  const isKey = looksLikeSecret(text) || (/^[A-Za-z0-9]{24,}$/.test(text) && /\d/.test(text));
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) && !isKey;
}

function holdsCredential(name: string, value: string): boolean {
  if (looksLikeSecret(value)) return true;
  // Without the variable, `Bearer ${NAME}` is only a scheme, not a secret.
  const literal = value.replace(/\$\{\w+\}/g, '').replace(/^(?:bearer|basic|token)\b/i, '');
  return isSecretName(name) && /[^\s;,=]/.test(literal);
}
