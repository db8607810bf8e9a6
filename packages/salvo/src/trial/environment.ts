import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { TrialPlaces } from '../adapters/adapter.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { Service } from '../scenario/schema/workspace-schema.ts';
import { errorMessage } from '../text/errors/salvo-error.ts';
import { openResources } from '../text/open-resources.ts';
import type { Trace } from '../trace/trace.ts';
import type { StartedServices } from './services/start-services.ts';
import { TrialStopped } from './trial-result.ts';
import type { OpenWorkspace } from './workspace/open-workspace.ts';

/** The workspace and the services of one trial. */
export interface TrialEnvironment {
  given: TrialPlaces;
  /** Adds to a trace what became of them, and runs the commands of assertions. */
  record(trace: Trace): Promise<Trace>;
  close(): Promise<void>;
}

interface EnvironmentOptions {
  scenario: Scenario;
  /** Of the scenario. Absolute. */
  file: string;
  env: Record<string, string | undefined>;
  /** The trials of one run have the same object. */
  run: object;
  nameOfTrial: readonly string[];
  /** A folder in which the workspace is kept after the trial. Null: it is removed. */
  keepIn: string | null;
  /** Aborted: services that are not up yet are given up. */
  stop: AbortSignal;
  /** Aborted: commands are ended, too. */
  abort: AbortSignal;
}

/** Where a run keeps its workspaces, if it does. */
export function keptWorkspaces(runId: string): string {
  return join(tmpdir(), `salvo-workspaces-${runId}`);
}

/** Copies the workspace and starts the services. Throws a `SalvoError` if the trial cannot run. */
export async function openEnvironment(options: EnvironmentOptions): Promise<TrialEnvironment> {
  const { scenario, stop } = options;
  await using resources = openResources();
  const { openWorkspace } = await import('./workspace/open-workspace.ts');
  const workspace = await openWorkspace(options);
  if (workspace) resources.defer(workspace.close);
  const ofWorkspace: Record<string, string> = workspace ? { SALVO_WORKSPACE: workspace.path } : {};
  const services = await startedServices(options, workspace, ofWorkspace).catch((error: unknown) => {
    throw stop.aborted ? new TrialStopped('interrupted', 'interrupted') : error;
  });
  if (services) resources.defer(services.stop);
  const variables = { ...ofWorkspace, ...services?.variables };
  const { [Symbol.asyncDispose]: close } = resources.keepFor({});
  return {
    given: { workspace: workspace?.path, services: services?.addresses, variables },
    async record(trace) {
      if (trace.finish_reason === 'interrupted') return trace;
      const ended = trace.finish_reason === 'budget' ? null : ((await services?.ended()) ?? null);
      const recorded: Trace = {
        ...trace,
        ...(services && { services: services.record() }),
        ...(workspace && { workspace: await workspace.record(scenario.assertions) }),
        // Whatever the agent did or threw, it may be because of the service.
        ...(ended && { error: ended.message, error_code: ended.code, finish_reason: 'error' }),
      };
      if (!workspace || recorded.error !== null) return recorded;
      return await withCommands(recorded, workspace, { ...options, variables });
    },
    close: async () => close(),
  };
}

async function startedServices(
  { scenario, file, env, run, stop: signal }: EnvironmentOptions,
  workspace: OpenWorkspace | null,
  variables: Record<string, string>,
): Promise<StartedServices | null> {
  if (!scenario.services) return null;
  const { startServices } = await import('./services/start-services.ts');
  const foldersOf = ({ run_in, cwd = '.' }: Service) => {
    const outside = resolve(dirname(file), cwd);
    if (run_in !== 'workspace' || !workspace) return { cwd: outside, permitted: outside };
    return { cwd: join(workspace.path, cwd), permitted: join(workspace.source, cwd) };
  };
  return startServices(scenario.services, { foldersOf, env, variables, run, signal });
}

async function withCommands(
  trace: Trace,
  workspace: OpenWorkspace,
  { scenario, env, variables, abort: signal }: EnvironmentOptions & { variables: Record<string, string> },
): Promise<Trace> {
  if (!trace.workspace || !scenario.assertions.some(({ type }) => type === 'command_succeeds')) return trace;
  const { runCommands } = await import('./workspace/run-commands.ts');
  const place = { root: workspace.path, permitted: workspace.source, env, variables, signal };
  try {
    const commands = await runCommands(scenario.assertions, place);
    return { ...trace, workspace: { ...trace.workspace, commands } };
  } catch (error) {
    // A trace that was paid for is not lost: its assertions on commands are not scored.
    if (!signal.aborted) return { ...trace, workspace: { ...trace.workspace, problem: errorMessage(error) } };
    // Without its commands the trial could never be scored, so that a resumed run repeats it.
    return { ...trace, finish_reason: 'interrupted', error: 'interrupted', error_code: 'TRIAL_INTERRUPTED' };
  }
}
