import type { OperatorName } from '../scenario/schema/shared-fields.ts';
import type { Trace } from '../trace/trace.ts';
import type { Subject } from './subject.ts';

/** A change of traces after which the right verdict is known. */
export interface Operator {
  name: OperatorName;
  must: 'fail' | 'pass';
  /** What it changes. */
  change: string;
  /** Why the right verdict is known, and where the operator applies. */
  why: string;
  /** The places of a trace that it can change, or why there is none. */
  sites(subject: Subject): readonly Site[] | Skip;
}

/** Why an operator does not apply to a trace. */
export interface Skip {
  skip: string;
}

/** A place of a trace that an operator can change. */
export interface Site {
  /** What is changed, the same in every run: the name of a tool, or a value. */
  label: string;
  /** What was changed, for people. */
  note: string;
  /** `random` is seeded. */
  make(random: () => number): MutatedTrace;
}

export interface MutatedTrace {
  trace: Trace;
  /** True: calls were changed, so that the state that they lead to has to be played. */
  changesCalls?: boolean;
  /** The id of a call that failed in the mutant, and is not played for this reason. */
  unplayed?: string;
}

export function skip(reason: string): Skip {
  return { skip: reason };
}

export function isSkip(sites: readonly Site[] | Skip): sites is Skip {
  return 'skip' in sites;
}

/** The sites, or why there is none. */
export function sitesOr(sites: readonly Site[], reason: string): readonly Site[] | Skip {
  return sites.length > 0 ? sites : skip(reason);
}
