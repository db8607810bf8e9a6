import { AssertionError } from 'node:assert';
import * as nodeTest from 'node:test';
import type { ScenarioRun } from '../app/runs/run-scenario.ts';
import { testSubject } from './evaluate.ts';
import type { Expectation } from './expect-trials.ts';
import { MATCHERS, type SalvoMatchers } from './matchers.ts';
import type { Testable } from './subject.ts';
import type { EvaluateOptions } from './test-options.ts';
import { placeOf, type TestPlace } from './test-place.ts';

/** Runs a subject N times, scores it, and stores it like any run. Any number of matchers can look at the result. */
export async function evaluate(subject: Testable, options: EvaluateOptions = {}): Promise<ScenarioRun> {
  const { run } = await testSubject(subject, options, placeInNode());
  return run;
}

/** What is expected of a subject, of a run, or of findings. */
export interface Expect extends SalvoMatchers {
  not: SalvoMatchers;
}

/** The matchers of `salvo/vitest`, for node:test. They reject with an `AssertionError`. */
export function expect(received: unknown): Expect {
  return { ...matchersFor(received, false), not: matchersFor(received, true) };
}

function matchersFor(received: unknown, isNot: boolean): SalvoMatchers {
  const call = () => ({ received, isNot, place: placeInNode() });
  const check = (name: keyof SalvoMatchers, checking: Promise<Expectation>) =>
    throwUnlessHolds(isNot ? `not.${name}` : name, checking);
  return {
    toPass: async (...args) => check('toPass', MATCHERS.toPass(call(), ...args)),
    toCallTool: async (...args) => check('toCallTool', MATCHERS.toCallTool(call(), ...args)),
    toCallToolsInOrder: async (...args) => check('toCallToolsInOrder', MATCHERS.toCallToolsInOrder(call(), ...args)),
    toSatisfyCriteria: async (...args) => check('toSatisfyCriteria', MATCHERS.toSatisfyCriteria(call(), ...args)),
    toCatch: async (...args) => check('toCatch', MATCHERS.toCatch(call(), ...args)),
  };
}

async function throwUnlessHolds(operator: string, checking: Promise<Expectation>): Promise<void> {
  const { holds, message, ...difference } = await checking;
  if (!holds) throw new AssertionError({ message, operator, ...difference });
}

/** Node tells which test is running since 24.19. Before, it is known from the `test` option only. */
function placeInNode(): TestPlace {
  // `node --test` runs each file in a process of its own.
  const known = { name: null, file: process.argv[1] ?? null };
  const context = nodeTest.getTestContext?.();
  return context && 'skip' in context ? placeOf(context, known) : { ...known, signal: null, skip: null };
}
