import { dirname } from 'node:path';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { isRecord } from '../text/json/is-record.ts';
import { type TestedRun, testedRun, testSubject } from './evaluate.ts';
import { type Expectation, expectTrials } from './expect-trials.ts';
import { type CatchOptions, readCatch } from './matchers-door.ts';
import { type MatcherOptions, refuseRunOptions } from './test-options.ts';
import { placeOf, type TestPlace } from './test-place.ts';
import { expectPass } from './to-pass.ts';
import { type CriteriaInput, type CriteriaOptions, criteriaAssertion, expectCriteria } from './to-satisfy-criteria.ts';
import {
  type ToolArguments,
  type ToolCallOptions,
  type ToolOrderOptions,
  type ToolStep,
  toolCallExpectation,
  toolOrderExpectation,
} from './tool-expectations.ts';
import { UnscoredError } from './unscored-error.ts';

/** What is the same for all matchers of one `expect`. */
interface MatcherCall {
  /** A subject, or what `evaluate` returned. */
  received: unknown;
  isNot: boolean;
  place: TestPlace;
}

/** The matchers, as every runner has them. All are asynchronous: a subject that has not been run is run first. */
export interface SalvoMatchers {
  /** The scenario passes, by its own assertions and minimums. `.not`: no trial passes. */
  toPass(options?: MatcherOptions): Promise<void>;
  /** The trials call this tool, with these arguments and possibly others. `.not`: no trial does. */
  toCallTool(tool: string, args?: ToolArguments, options?: ToolCallOptions): Promise<void>;
  /** The trials call these tools in this order, possibly with others between them. `.not`: no trial does. */
  toCallToolsInOrder(tools: readonly ToolStep[], options?: ToolOrderOptions): Promise<void>;
  /** A judge finds that the trials meet these criteria. `.not`: no trial does. */
  toSatisfyCriteria(criteria: CriteriaInput, options?: CriteriaOptions): Promise<void>;
  /** The findings catch the flaws of a manifest. `.not`: they catch none. */
  toCatch(manifest: string | object, options?: CatchOptions): Promise<void>;
}

type MatcherFunctions = {
  [Name in keyof SalvoMatchers]: (call: MatcherCall, ...args: Parameters<SalvoMatchers[Name]>) => Promise<Expectation>;
};

/** Each reads what is demanded before anything is run, so that wrong input costs nothing. */
export const MATCHERS: MatcherFunctions = {
  async toPass(call, options = {}) {
    return expecting(call, options, async (tested) => expectPass(tested, { ...call, options }));
  },
  async toCallTool(call, tool, args, options = {}) {
    const expected = toolCallExpectation(tool, args, options);
    return expecting(call, options, (tested) => expectTrials(tested, expected, { ...call, options }), ['times']);
  },
  async toCallToolsInOrder(call, tools, options = {}) {
    const expected = toolOrderExpectation(tools, options);
    return expecting(call, options, (tested) => expectTrials(tested, expected, { ...call, options }), ['exact']);
  },
  async toSatisfyCriteria(call, criteria, options = {}) {
    const assertion = criteriaAssertion(criteria, options);
    const own = ['judge', 'k', 'threshold', 'budgetUsd'];
    return expecting(call, options, (tested) => expectCriteria(tested, assertion, { ...call, options }), own);
  },
  async toCatch(call, manifest, options = {}) {
    const { isNot, received } = call;
    const place = placeFor(call.place, options);
    const folder = place.file === null ? (options.cwd ?? process.cwd()) : dirname(place.file);
    const demanded = await orSkip(place, options, () => readCatch(manifest, { isNot, options, folder }));
    if (isFindings(received)) return orSkip(place, options, () => demanded.ofFindings(received));
    const expected = demanded.ofTrials;
    const own = ['recall', 'precision', 'f1', 'matcher'];
    return expecting(call, options, (tested) => expectTrials(tested, expected, { ...call, options }), own);
  },
};

/** Runs the subject if it has not been run, and checks it. */
async function expecting(
  { received, isNot, place: current }: MatcherCall,
  options: MatcherOptions,
  check: (tested: TestedRun) => Promise<Expectation>,
  own: readonly string[] = [],
): Promise<Expectation> {
  const place = placeFor(current, options);
  if (isNot && options.minPassRate !== undefined) {
    throw new SalvoError('OPTIONS_INVALID', '`.not` means that no trial does it, so minPassRate has no meaning there.');
  }
  return orSkip(place, options, async () => {
    const run = testedRun(received);
    if (run) refuseRunOptions(options, own);
    const tested = run ?? (await testSubject(received, options, place));
    skipIfSkipped(tested);
    return check(tested);
  });
}

function placeFor(current: TestPlace, { test }: MatcherOptions): TestPlace {
  return test ? placeOf(test, current) : current;
}

/** A scenario that is not to be run for now, or is no part of a verdict, skips its test. */
function skipIfSkipped({ run: { summary }, place }: TestedRun): void {
  const { verdict, skipped, quarantine } = summary;
  if (verdict !== 'SKIPPED' && verdict !== 'QUARANTINED') return;
  const reason =
    verdict === 'SKIPPED'
      ? `the scenario is skipped: ${skipped ?? ''}`
      : `the scenario is in quarantine until ${quarantine?.until ?? 'later'}: ${quarantine?.reason ?? ''}`;
  place.skip?.(reason);
  throw new UnscoredError(reason);
}

async function orSkip<T>(
  place: TestPlace,
  { unscored = 'error' }: MatcherOptions,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    // Vitest throws here; after the skip of node:test, the error ends the test.
    if (error instanceof UnscoredError && unscored === 'skip') place.skip?.(error.message);
    throw error;
  }
}

const SCENARIO_FILE = /\.(?:ya?ml|scenario\.[cm]?[jt]s)$/i;

/** Anything that is neither a run nor a subject to be run. */
function isFindings(received: unknown): received is string | object {
  if (typeof received === 'string') return !SCENARIO_FILE.test(received);
  if (Array.isArray(received)) return true;
  if (!isRecord(received) || testedRun(received)) return false;
  return !('prompt' in received || 'messages' in received || typeof received.sendTurn === 'function');
}
