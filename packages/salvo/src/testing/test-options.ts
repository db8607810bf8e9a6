import type { Adapter } from '../adapters/adapter.ts';
import type { AgentFunction } from '../adapters/agent/agent-function.ts';
import type { Workplace } from '../app/project/open-project.ts';
import type { RunScenarioOptions } from '../app/runs/run-scenario.ts';
import type { ScenarioDefinition } from '../scenario/code/scenario-definition.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { howToWriteShare, readShare } from '../text/share.ts';
import type { TestContextLike } from './test-place.ts';

/** How a subject is run. What is left out is as scenarios and salvo.yaml say. */
export interface EvaluateOptions
  extends Workplace,
    Pick<
      RunScenarioOptions,
      | 'adapter'
      | 'model'
      | 'trials'
      | 'seed'
      | 'concurrency'
      | 'budgetUsd'
      | 'retries'
      | 'allowUnscored'
      | 'modelCassette'
      | 'cassettes'
    > {
  /** The agent under test, for a scenario. */
  agent?: AgentFunction | Adapter | undefined;
  /** The task, for an agent. */
  prompt?: string | undefined;
  /** The task with tools and assertions, for an agent. */
  scenario?: ScenarioDefinition | undefined;
  /** The share of trials that must hold, such as 0.8 or '80%'. All of them if nothing says it. */
  minPassRate?: number | string | undefined;
  /** The mean score that the scenario must reach. */
  minScore?: number | string | undefined;
  /** False: nothing is stored. So does `SALVO_STORE=off` in the environment. */
  store?: boolean | undefined;
  /** Aborted: the run is given up. That of the test is known without it, except in concurrent tests. */
  signal?: AbortSignal | undefined;
  /** The context that the runner passes to the test: needed in concurrent tests. */
  test?: TestContextLike | undefined;
}

/** Options of a matcher. Those of a run are only for a subject that has not been run. */
export interface MatcherOptions extends EvaluateOptions {
  /** What to do if it could not be scored: throw an error (the default), or skip the test. */
  unscored?: 'error' | 'skip' | undefined;
}

const NOT_OF_A_RUN = ['minPassRate', 'unscored', 'allowUnscored', 'test', 'signal'];

/** Refuses options that come too late, because the trials have run. */
export function refuseRunOptions(options: MatcherOptions, own: readonly string[]): void {
  const late = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !NOT_OF_A_RUN.includes(name) && !own.includes(name))
    .map(([name]) => name);
  if (late.length === 0) return;
  throw new SalvoError(
    'OPTIONS_INVALID',
    `This has been run already, so ${late.join(', ')} can change nothing. Give it to evaluate().`,
  );
}

/** A share that a user wrote; null if there is none. */
export function shareOption(name: string, value: number | string | undefined): number | null {
  if (value === undefined) return null;
  const share = readShare(value);
  if (share !== null) return share;
  throw new SalvoError('OPTIONS_INVALID', `${name} is ${JSON.stringify(value)}: ${howToWriteShare(value)}.`);
}
