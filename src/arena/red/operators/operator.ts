import type { TextEdit } from '../../../iac/edit/edits.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';
import type { CodePlace } from '../../../iac/read/code-node.ts';
import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';

/**
 * One way to make secure code insecure, in one language. What it breaks is one weakness of the catalogue, so that
 * category, severity, CWE and the scanners' rule ids come from there.
 *
 *     const [target] = operator.targets(project, scope);          // secure here, as it comes out
 *     const edits = operator.apply(project, target);              // the plain edit
 *     operator.isPresent(createScope(mutated), target);           // true, also when the flaw was hidden by other means
 */
export interface MutationOperator {
  /** `rds-storage-unencrypted`. The same in both languages when the flaw is the same. */
  id: string;
  /** The id of a weakness: see `weaknessById`. */
  weakness: string;
  language: CodeLanguage;
  resourceTypes: readonly string[];
  /** Operators whose flaw comes along at the same target: they are not counted as flaws of their own. */
  implies: readonly string[];
  /** Where the code is secure in this respect now, by what it comes to, and can be weakened by an edit. */
  targets(project: CodeProject, scope: Scope): MutationTarget[];
  /** The plain edit: what an engineer in a hurry would have written. Throws when the target does not fit the project. */
  apply(project: CodeProject, target: MutationTarget): CodeEdit[];
  /** Whether the flaw is there now: variables, locals, conditions, counts and override files are worked out. */
  isPresent(scope: Scope, target: MutationTarget): boolean;
  /** The file and lines that show the flaw in code that has it: the attribute, or what lacks it. Null when it is gone. */
  locate(scope: Scope, target: MutationTarget): CodePlace | null;
  /** One sentence in our own words, for the manifest. */
  describe(target: MutationTarget): string;
  /** For hiding: the value that carries the flaw, when a single one does. Asked of the code before the edit. */
  weakValue(project: CodeProject, target: MutationTarget): WeakValue | null;
  /**
   * For hiding: the address of the resource whose presence keeps the flaw away (a public access block, a flow log), when
   * there is one that nothing refers to. With `count = 0` in it, or a condition that is never true, the flaw is there.
   */
  guard(project: CodeProject, target: MutationTarget): string | null;
}

export interface MutationTarget {
  /** Of the resource that has the flaw, without module and key: `aws_s3_bucket.data`, `AWS::S3::Bucket.Data`. */
  address: string;
  /** Where that resource stands. An edit may be in another file. */
  file: string;
  /** As in manifests: `metadata_options.http_tokens`. Null when the resource as a whole lacks something. */
  attribute: string | null;
  /**
   * Other resources that one may name for the same flaw: the bucket of a public access block, the document that a
   * policy comes from.
   */
  related: readonly string[];
}

export interface CodeEdit {
  file: string;
  edits: TextEdit[];
}

export interface WeakValue {
  /** Where the value is written. */
  file: string;
  /** Of the resource, data source or nested block's resource that it is written in. */
  address: string;
  /** The path of the attribute in it: `metadata_options.http_tokens`. */
  attribute: string;
  /** Code of the language. Null when the attribute is not written: the default is secure. */
  secure: string | null;
  /** A literal of the language: `false`, `"optional"`, `["0.0.0.0/0"]`; in CloudFormation `false`, `optional`. */
  insecure: string;
  type: 'bool' | 'string' | 'number' | 'list(string)';
  /** The edits that put other code in the place of the value: `var.encrypted`, `local.tokens`, `!Ref Encrypted`. */
  write(code: string): CodeEdit[];
}
