import type { Scope } from '../../../iac/evaluate/scope.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { MutationTarget } from '../operators/operator.ts';
import type { Opening } from './injection-site.ts';

/** A flaw that is in the code. */
export interface Planted {
  opening: Opening;
  /** Where it is: that of the opening, unless the technique put it beside. */
  target: MutationTarget;
  technique: string;
  /** Flaws of one number are worse together. */
  group: number;
}

/** The code with all flaws in it. */
export interface Mutated {
  project: CodeProject;
  scope: Scope;
  planted: readonly Planted[];
}
