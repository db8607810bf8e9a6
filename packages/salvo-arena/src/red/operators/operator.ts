import type { TextEdit } from '../../iac/edit/edits.ts';
import type { Scope } from '../../iac/evaluate/scope.ts';
import type { CodePlace } from '../../iac/read/code-node.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Severity } from '../../match/claims/severity.ts';
import type { PlantedSecret } from './planted-secret.ts';

/**
 * One way to make secure code insecure, in one language. It plants one weakness of the catalogue, from which category,
 * severity, CWE and the scanners' rule ids are taken.
 *
 *     const [target] = operator.targets(project, scope);          // secure after evaluation
 *     const edits = operator.apply(project, target);              // the plain edit
 *     operator.isPresent(createScope(mutated), target);           // true, even if the flaw was hidden in another way
 */
export interface MutationOperator {
  /** `rds-storage-unencrypted`. The same in both languages when the flaw is the same. */
  id: string;
  /** The id of a weakness: see `weaknessById`. */
  weakness: string;
  language: CodeLanguage;
  resourceTypes: readonly string[];
  /** Who calls it a flaw: `CIS 2.1.4`, `SecurityHub S3.8`, ids of the scanners' rules. */
  calledBy: readonly string[];
  /** It has no effect on security, though scanners list it. */
  housekeeping: boolean;
  /** The credential that it writes into the code, if it does. */
  secret: PlantedSecret | null;
  /** Operators whose flaw appears at the same target as well. It does not count as a flaw of its own. */
  implies: readonly string[];
  /** Where the evaluated code is secure in this respect, and can be weakened by an edit. */
  targets(project: CodeProject, scope: Scope): MutationTarget[];
  /**
   * The plain edit: what an engineer in a hurry would have written. Throws when the target does not fit the project.
   */
  apply(project: CodeProject, target: MutationTarget): CodeEdit[];
  /**
   * Other ways to write the same flaw that scanners read less well: a principal that is a plain text, a range of ports
   * around the open one. Empty when there is none.
   */
  unusual(project: CodeProject, target: MutationTarget): FlawForm[];
  /** The plain edit with harmless values, in the same shape. Null when the flaw has no harmless counterpart. */
  harmless(project: CodeProject, target: MutationTarget): CodeEdit[] | null;
  /** Whether the evaluated code has the flaw. */
  isPresent(scope: Scope, target: MutationTarget): boolean;
  /** Whether the evaluated code certainly does not have the flaw: a value that is not known is neither. */
  isAbsent?(scope: Scope, target: MutationTarget): boolean;
  /** The lines that show the flaw: the attribute, or the block that lacks it. Null when the flaw is not there. */
  locate(scope: Scope, target: MutationTarget): CodePlace | null;
  /** How severe the flaw is here, given that of its weakness: less if it is limited to somebody or something. */
  severity(scope: Scope, target: MutationTarget, usual: Severity): Severity;
  /** One sentence in our own words, for the manifest. */
  describe(target: MutationTarget): string;
  /** For hiding: the value that carries the flaw, if there is a single one. `project` is the secure code. */
  weakValue(project: CodeProject, target: MutationTarget): WeakValue | null;
  /**
   * For hiding: the address of the resource that prevents the flaw (a public access block, a flow log), if nothing
   * refers to it. With `count = 0` in it, or a condition that is never true, the flaw is there.
   */
  guard(project: CodeProject, target: MutationTarget): string | null;
}

export interface MutationTarget {
  /** Of the resource that has the flaw, without module and key: `aws_s3_bucket.data`, `AWS::S3::Bucket.Data`. */
  address: string;
  /** The file of that resource. An edit may be in another file. */
  file: string;
  /** As in manifests: `metadata_options.http_tokens`. Null when the resource as a whole lacks something. */
  attribute: string | null;
  /**
   * Other resources that a correct finding may name for the same flaw: the bucket of a public access block, the
   * document of a policy.
   */
  related: readonly string[];
}

/** One way to write a flaw. */
export interface FlawForm {
  edits: CodeEdit[];
  /** The same code with harmless values; null when there is none. */
  harmless: CodeEdit[] | null;
}

export interface CodeEdit {
  file: string;
  edits: TextEdit[];
}

export interface WeakValue {
  /** Where the value is written. */
  file: string;
  /** The address of the resource or data source that it is written in. */
  address: string;
  /** The path of the attribute in it: `metadata_options.http_tokens`. */
  attribute: string;
  /** Code of the language. Null when the attribute is not written: the default is secure. */
  secure: string | null;
  /** A literal of the language: `false`, `"optional"`, `["0.0.0.0/0"]`; in CloudFormation `false`, `optional`. */
  insecure: string;
  type: 'bool' | 'string' | 'number' | 'list(string)';
  /** The edits that replace the value by other code: `var.encrypted`, `local.tokens`, `!Ref Encrypted`. */
  write(code: string): CodeEdit[];
}
