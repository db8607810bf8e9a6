import * as vitest from 'vitest';
import type { ScenarioRun } from '../app/runs/run-scenario.ts';
import { isRecord } from '../text/json/is-record.ts';
import { testSubject } from './evaluate.ts';
import type { Expectation } from './expect-trials.ts';
import { MATCHERS, type SalvoMatchers } from './matchers.ts';
import type { Testable } from './subject.ts';
import type { EvaluateOptions } from './test-options.ts';
import { placeOf, type TestContextLike, type TestPlace } from './test-place.ts';

declare module 'vitest' {
  // Without type parameters, which differ between the versions of Vitest.
  interface Matchers extends SalvoMatchers {}
}

interface MatcherThis {
  /** Vitest leaves it undefined without `.not`. */
  isNot?: boolean | undefined;
  task?: RunningTask | undefined;
  testPath?: string | undefined;
  currentTestName?: string | undefined;
}

interface RunningTask {
  concurrent?: boolean | undefined;
  context: TestContextLike;
}

/** Runs a subject N times, scores it, and stores it like any run. Any number of matchers can look at the result. */
export async function evaluate(subject: Testable, options: EvaluateOptions = {}): Promise<ScenarioRun> {
  const { run } = await testSubject(subject, options, placeInVitest(vitest.expect.getState()));
  return run;
}

/** Which of several tests is running at the same time cannot be told, unless `expect` is that of the test's context. */
function placeInVitest({ task = currentTask(), testPath, currentTestName }: Omit<MatcherThis, 'isNot'>): TestPlace {
  const known = { name: currentTestName ?? null, file: testPath ?? null };
  if (!task || task.concurrent) return { ...known, signal: null, skip: null };
  return placeOf(task.context, known);
}

/** A module of Vitest 3 and 4. Since Vitest 5, the runner is exported instead. */
const SUITE_MODULE = 'vitest/suite';

const suiteModule: unknown = vitest.TestRunner ? null : await import(SUITE_MODULE).catch(() => null);

function currentTask(): RunningTask | undefined {
  if (vitest.TestRunner) return vitest.TestRunner.getCurrentTest();
  const getCurrentTest = isRecord(suiteModule) ? suiteModule.getCurrentTest : undefined;
  const task: unknown = typeof getCurrentTest === 'function' ? getCurrentTest() : undefined;
  return isRunningTask(task) ? task : undefined;
}

/** In Vitest 3 the context is a function with fields. */
function isRunningTask(task: unknown): task is RunningTask {
  const context = isRecord(task) ? task.context : undefined;
  const hasFields = isRecord(context) || typeof context === 'function';
  return hasFields && Reflect.get(context, 'signal') instanceof AbortSignal;
}

/** Vitest inverts the result of `.not`, but whether no trial does it has been decided already. */
async function forVitest(checking: Promise<Expectation>, state: MatcherThis) {
  const { holds, message, ...difference } = await checking;
  return { pass: isNegated(state) ? !holds : holds, message: () => message, ...difference };
}

function isNegated({ isNot }: MatcherThis): boolean {
  return isNot === true;
}

vitest.expect.extend({
  toPass(received: unknown, ...args: Parameters<SalvoMatchers['toPass']>) {
    return forVitest(MATCHERS.toPass(callOf(this, received), ...args), this);
  },
  toCallTool(received: unknown, ...args: Parameters<SalvoMatchers['toCallTool']>) {
    return forVitest(MATCHERS.toCallTool(callOf(this, received), ...args), this);
  },
  toCallToolsInOrder(received: unknown, ...args: Parameters<SalvoMatchers['toCallToolsInOrder']>) {
    return forVitest(MATCHERS.toCallToolsInOrder(callOf(this, received), ...args), this);
  },
  toSatisfyCriteria(received: unknown, ...args: Parameters<SalvoMatchers['toSatisfyCriteria']>) {
    return forVitest(MATCHERS.toSatisfyCriteria(callOf(this, received), ...args), this);
  },
  toCatch(received: unknown, ...args: Parameters<SalvoMatchers['toCatch']>) {
    return forVitest(MATCHERS.toCatch(callOf(this, received), ...args), this);
  },
});

function callOf(state: MatcherThis, received: unknown) {
  return { received, isNot: isNegated(state), place: placeInVitest(state) };
}
