import type { Scope } from '../../iac/evaluate/scope.ts';
import type { RelationalFlaw } from '../../iac/relations/relation.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { MutationTarget } from '../operators/operator.ts';
import type { InjectionSite } from './site/injection-site.ts';
import type { Hidden } from './techniques/technique.ts';

/** A flaw in the code. */
export interface PlantedFlaw {
  site: InjectionSite;
  /** The target of the site, unless the technique put the flaw into another resource. */
  target: MutationTarget;
  technique: string;
  hidden: Hidden;
  /** Flaws with the same number are worse together. */
  group: number;
  /** For a flaw that only the relation of several resources shows. */
  relation?: RelationalFlaw;
}

/** The code with all flaws in it. */
export interface MutatedCode {
  project: CodeProject;
  scope: Scope;
  planted: readonly PlantedFlaw[];
  /** The same code with the safe values. */
  twin: CodeProject;
  /** Safe code in the shape of a flaw: the resource, and the weakness that it looks like. */
  traps: readonly { resource: string; weakness: string }[];
}
