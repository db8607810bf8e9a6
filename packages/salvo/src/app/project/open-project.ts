import { adapterSecrets } from '../../adapters/adapter-secrets.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import { loadSettings } from '../../scenario/load-project.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { grantedSecrets } from '../../secrets/environment-secrets.ts';
import { createRedactor, type Redactor } from '../../secrets/redactor.ts';
import { type DatabasePatience, databaseSecrets, databaseUrl } from '../../store/database-url.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { envFileSecrets, projectEnv } from './project-env.ts';

/** Where a use case works: the folder whose project it opens, and the variables it may read. */
export interface Workplace {
  /** The working directory of the process if not given. */
  cwd?: string | undefined;
  /** The environment of the process if not given. */
  env?: Record<string, string | undefined> | undefined;
  /** How a database that can't be reached is waited for; not at all if not given. */
  patience?: DatabasePatience | undefined;
}

/** How the caller of a long use case ends it. */
export interface Stoppable {
  /** Aborted: nothing further is started. */
  stop?: AbortSignal | undefined;
  /** Aborted: what is under way is given up, too. */
  abort?: AbortSignal | undefined;
}

export interface OpenProject extends AsyncDisposable {
  project: Project;
  store: Store;
}

/** The project around a folder, with its store. Throws when nothing is stored yet. Plugins are not executed. */
export async function openProject(
  { cwd = process.cwd(), env = process.env, patience }: Workplace = {},
  /** `readOnly`: nothing will be written, so it need not be possible. */
  { readOnly = false }: { readOnly?: boolean } = {},
): Promise<OpenProject> {
  const project = await loadSettings(cwd);
  const store = await openProjectStore(project, { env, mustExist: true, readOnly, patience });
  return { project, store, [Symbol.asyncDispose]: () => store.close() };
}

/** The store of the project around a folder, if it has one. For reading. */
export async function openProjectIfStored({ cwd = process.cwd(), env = process.env }: Workplace) {
  return openStoreIfAny(await loadSettings(cwd), { env });
}

/** Null when nothing is stored yet: looking at a project must not create a store. */
export async function openStoreIfAny(project: Project, { env }: { env: Record<string, string | undefined> }) {
  try {
    const store = await openProjectStore(project, { env, mustExist: true, readOnly: true });
    return { store, [Symbol.asyncDispose]: () => store.close() };
  } catch (error) {
    if (!(error instanceof SalvoError && error.code === 'RUNS_MISSING')) throw error;
    return { store: null, [Symbol.asyncDispose]: async () => {} };
  }
}

/** The project's store, which never keeps the secrets of the project's adapters. */
export async function openProjectStore(
  project: Project,
  options: { env: Record<string, string | undefined> } & Pick<
    Parameters<typeof openStore>[1],
    'mustExist' | 'readOnly' | 'migrate' | 'patience'
  >,
): Promise<Store> {
  const { env, ...how } = options;
  const url = databaseUrl(project.config, projectEnv(project, env));
  return openStore(project, { secrets: projectSecrets(project, env), databaseUrl: url, ...how });
}

/** Whether other processes can do the work of runs and experiments that are kept in the project's store. */
export function hasWorkerAccess(project: Project, env: Record<string, string | undefined>): boolean {
  return databaseUrl(project.config, projectEnv(project, env)) !== null;
}

/** Takes the secrets of a project out of what is shown and not stored. */
export function projectRedactor(project: Project, env: Record<string, string | undefined>): Redactor {
  const { custom_redaction_patterns: customPatterns } = project.config.recording;
  return createRedactor({ customPatterns, secrets: projectSecrets(project, env) });
}

/** Values that must not be stored anywhere. */
export function projectSecrets(project: Project, given: Record<string, string | undefined>): string[] {
  const env = projectEnv(project, given);
  return [
    ...adapterSecrets({ adapters: project.config.adapters, env }),
    ...grantedSecrets(project.passedOn ?? [], env),
    ...envFileSecrets(project),
    ...databaseSecrets(databaseUrl(project.config, env)),
  ];
}

/** The project with the variables that its scenarios pass on, so that their values are redacted, too. */
export async function withPassedOn(project: Project, scenarios: readonly LoadedScenario[]): Promise<Project> {
  const mayPass = scenarios.some(({ scenario: { tools, services, assertions } }) => {
    return services || tools.some(({ mcp }) => mcp) || assertions.some(({ type }) => type === 'command_succeeds');
  });
  if (!mayPass) return project;
  const { scenarioVariables } = await import('../../scenario/scenario-variables.ts');
  const names = scenarios.flatMap(({ scenario }) => scenarioVariables(scenario).map(({ variable }) => variable ?? ''));
  return { ...project, passedOn: [...new Set(names)] };
}

/** The stored run that a user means by an id, the beginning of one, or `latest`. */
export async function findRun(store: Store, idOrPrefix: string): Promise<RunRecord> {
  // Links and scripts have the whole id: then no list of runs has to be read.
  const exact = await store.getRun(idOrPrefix);
  if (exact) return exact;
  const { resolveRunId } = await import('../../store/resolve-id.ts');
  const runId = await resolveRunId(store, idOrPrefix);
  const run = await store.getRun(runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId}.`);
  return run;
}
