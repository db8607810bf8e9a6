import { openDoor } from '../extension/load-extension.ts';
import type { Expectation, TrialExpectation } from './expect-trials.ts';
import type { MatcherOptions } from './test-options.ts';

export interface CatchOptions extends MatcherOptions {
  /** The share of the flaws that must be found. All of them if no minimum is given. */
  recall?: number | string | undefined;
  /** The share of the findings that must be right. */
  precision?: number | string | undefined;
  f1?: number | string | undefined;
  /** How findings are compared: `evidence` if not given, as in `salvo score`. */
  matcher?: 'documented' | 'evidence' | undefined;
}

/** What `toCatch` demands, read before anything is run. */
export interface Catch {
  /** Whether findings catch the flaws of the manifest; with `.not`, whether they catch none. */
  ofFindings(received: string | object): Promise<Expectation>;
  /** What is demanded of each trial: of the findings in its final answer. */
  ofTrials: TrialExpectation;
}

/** Matchers that a package evaluates. */
export interface MatchersDoor {
  /** `manifest` is a manifest, the text of one, or the path of its file. Paths are relative to `folder`. */
  readCatch(manifest: string | object, how: { isNot: boolean; options: CatchOptions; folder: string }): Promise<Catch>;
}

declare module '../extension/extension.ts' {
  interface Doors {
    matchers: MatchersDoor;
  }
}

export async function readCatch(...args: Parameters<MatchersDoor['readCatch']>): Promise<Catch> {
  return (await openDoor('matchers', { name: 'salvo-arena', what: 'The matcher toCatch' })).readCatch(...args);
}
