import { withWorkLimit } from '../../adapters/call/work-clock.ts';
import type { ProjectHooks } from '../../scenario/code/load-hooks.ts';
import type {
  HookResults,
  ScenarioContext,
  ScenarioHooks,
  TrialContext,
} from '../../scenario/code/scenario-definition.ts';
import { NO_HOOKS } from '../../scenario/code/scenario-functions.ts';
import { DEFAULT_TIMEOUT_SECONDS } from '../../scenario/schema/scenario-schema.ts';
import { ownStack } from '../../text/errors/own-stack.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { createRemovableList } from '../../text/removable-list.ts';
import { sharedByHooks } from '../../trial/agent-loop.ts';
import type { PreparedScenario } from '../../trial/run-trial.ts';
import { TrialStopped } from '../../trial/trial-result.ts';

/** A setup failed: the trials that need it cannot be scored. */
export class SetupError extends SalvoError {
  readonly hookStack: string | undefined;

  constructor(what: string, cause: unknown, root: string) {
    super('SETUP_FAILED', `${what} failed: ${quoteOutput(errorMessage(cause))}`, { cause });
    this.hookStack = ownStack(cause, root);
  }
}

/** The trial that functions of the user work for. */
export interface HookedTrial
  extends Pick<TrialContext, 'scenario' | 'case' | 'row' | 'trialNumber' | 'workspace' | 'services'> {
  /** Position of the scenario in the run. */
  index: number;
}

/** What was set up for a trial. */
export type StartedTrial = Awaited<ReturnType<RunHooks['startTrial']>>;

export type RunHooks = ReturnType<typeof createRunHooks>;

type HookedScenario = Pick<PreparedScenario, 'scenario' | 'functions'>;

type HookName = keyof ProjectHooks | keyof ScenarioHooks;

interface HookPair {
  /** Whose hooks these are, for messages. */
  of: string;
  setup: [HookName, Hook | undefined];
  teardown: [HookName, Hook | undefined];
}

type Hook = (context: TrialContext) => unknown;

/** The run, a scenario or a trial, with the hooks that are called before and after it. */
interface EnteredStage {
  level: keyof HookResults;
  results: HookResults;
  context: Omit<TrialContext, 'hooks' | 'signal'>;
  seconds: number | undefined;
  pairs: readonly HookPair[];
}

type Stage = Awaited<ReturnType<typeof enterStage>>;

/**
 * The hooks of a run. What is shared is set up by the first trial that needs it, and torn down by `close`. A failed
 * setup is a `SetupError`; a failed teardown is a warning.
 */
export function createRunHooks(options: {
  runId: string;
  root: string;
  hooks: ProjectHooks;
  /** By position in the run. */
  scenarios: readonly HookedScenario[];
  /** Of the project, for the hooks of the run. */
  timeoutSeconds: number | undefined;
  /** Aborted: setups are given up. Teardowns are not. */
  abort: AbortSignal | undefined;
}) {
  const { runId, root, hooks, abort } = options;
  const warnings: string[] = [];
  const enter = (stage: EnteredStage): Promise<Stage> => enterStage(stage, { root, abort, warnings });
  let run: Promise<Stage> | null = null;
  /** Trials that were started and have not ended. */
  const trials = createRemovableList<() => Promise<void>>();
  const scenarios = new Map<number, Promise<Stage>>();

  function enterRun(): Promise<Stage> {
    run ??= enter({
      level: 'run',
      results: NO_HOOKS,
      context: { runId, scenario: '', case: '', row: {}, trialNumber: 0 },
      seconds: options.timeoutSeconds,
      pairs: [{ of: 'the run', setup: ['setup', hooks.setup], teardown: ['teardown', hooks.teardown] }],
    });
    return run;
  }

  function enterScenario(index: number): Promise<Stage> {
    const known = scenarios.get(index);
    if (known) return known;
    const { scenario, functions } = scenarioAt(index);
    const entering = enterRun().then(({ results }) =>
      enter({
        level: 'scenario',
        results,
        context: { runId, scenario: scenario.name, case: '', row: {}, trialNumber: 0 },
        seconds: scenario.timeout_seconds,
        pairs: [
          pair('the project', 'setupScenario', 'teardownScenario', hooks),
          pair('the scenario', 'setup', 'teardown', functions?.hooks ?? {}),
        ],
      }),
    );
    scenarios.set(index, entering);
    return entering;
  }

  function scenarioAt(index: number): HookedScenario {
    const found = options.scenarios[index];
    if (!found) throw new RangeError(`The run has no scenario ${index}.`);
    return found;
  }

  return {
    async startTrial({ index, ...trial }: HookedTrial) {
      const { scenario, functions } = scenarioAt(index);
      const { results: shared } = await enterScenario(index);
      const context = { runId, ...trial };
      const own = functions?.hooks;
      // Most projects have none.
      if (!(hooks.setupTrial ?? hooks.teardownTrial ?? own?.setupTrial ?? own?.teardownTrial)) {
        return { context: { ...context, hooks: shared }, end: nothingToEnd };
      }
      const { results, leave } = await enter({
        level: 'trial',
        results: shared,
        context,
        seconds: scenario.timeout_seconds,
        pairs: [
          pair('the project', 'setupTrial', 'teardownTrial', hooks),
          pair('the scenario', 'setupTrial', 'teardownTrial', own ?? {}),
        ],
      });
      await checkShared(results, { leave, root });
      // Runs the teardowns of the trial.
      const end = async (): Promise<void> => {
        remove();
        await leave();
      };
      const remove = trials.add(end);
      return { context: { ...context, hooks: results }, end };
    },
    /** Runs the teardowns of trials that have not ended, of all scenarios and of the run. Returns what failed in any teardown. */
    async close(): Promise<string[]> {
      await Promise.all(trials.items().map((end) => end()));
      // A setup that failed has left nothing to tear down.
      const stages = await Promise.allSettled([...scenarios.values()].reverse());
      for (const stage of stages) if (stage.status === 'fulfilled') await stage.value.leave();
      const ofRun = await run?.catch(() => null);
      await ofRun?.leave();
      return warnings;
    },
  };
}

async function nothingToEnd(): Promise<void> {}

/** What a trial shares with its agent is sent as JSON. */
async function checkShared(
  results: HookResults,
  { leave, root }: { leave: Stage['leave']; root: string },
): Promise<void> {
  try {
    sharedByHooks(results);
  } catch (cause) {
    await leave();
    throw new SetupError('setupTrial returned a "share" that cannot be written as JSON: it', cause, root);
  }
}

/** Calls the setups. `leave` calls the teardowns of those that succeeded, in reverse, and adds a warning if one fails. */
async function enterStage(
  stage: EnteredStage,
  { root, abort, warnings }: { root: string; abort: AbortSignal | undefined; warnings: string[] },
) {
  const { level, context, seconds = DEFAULT_TIMEOUT_SECONDS } = stage;
  let { results } = stage;
  const entered: HookPair[] = [];
  const leave = async (): Promise<void> => {
    for (const { of, teardown } of entered.splice(0).reverse()) {
      const [name, hook] = teardown;
      if (!hook) continue;
      await callHook(hook, { ...context, hooks: results }, { seconds, abort: undefined }).catch((error: unknown) => {
        const place = context.scenario === '' ? '' : ` (${context.scenario})`;
        warnings.push(`${name} of ${of}${place} failed: ${quoteOutput(errorMessage(error))}`);
      });
    }
  };
  for (const each of stage.pairs) {
    const [name, hook] = each.setup;
    try {
      const returned = hook && (await callHook(hook, { ...context, hooks: results }, { seconds, abort }));
      if (returned !== undefined) results = { ...results, [level]: returned };
      entered.push(each);
    } catch (error) {
      await leave();
      if (error instanceof TrialStopped) throw error;
      throw new SetupError(`${name} of ${each.of}`, error, root);
    }
  }
  return { results, leave };
}

/** Whether something is torn down at the end that a setup has made, so that it can fail there. */
export function hasTeardown(hooks: ProjectHooks, scenarios: readonly HookedScenario[]): boolean {
  const all: ProjectHooks[] = [hooks, ...scenarios.map(({ functions }) => functions?.hooks ?? {})];
  return all.some(({ teardown, teardownScenario, teardownTrial }) => teardown ?? teardownScenario ?? teardownTrial);
}

function pair<Setup extends HookName, Teardown extends HookName>(
  of: string,
  setup: Setup,
  teardown: Teardown,
  hooks: { [Name in Setup | Teardown]?: ((context: ScenarioContext & TrialContext) => unknown) | undefined },
): HookPair {
  return { of, setup: [setup, hooks[setup]], teardown: [teardown, hooks[teardown]] };
}

async function callHook(
  hook: Hook,
  context: Omit<TrialContext, 'signal'>,
  { seconds, abort }: { seconds: number; abort: AbortSignal | undefined },
): Promise<unknown> {
  const limit = {
    seconds,
    timeoutError: () => new Error(`no end after ${seconds} s (timeout_seconds)`),
    abort,
    abortError: () => new TrialStopped('interrupted', 'interrupted'),
  };
  // A copy of the row: what a hook does to it must not reach the agent, the checks or other trials.
  return await withWorkLimit(limit, (signal) => hook({ ...context, row: structuredClone(context.row), signal }));
}
