import type { Attribute } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import type { Value } from './value.ts';

/**
 * A block as it comes out, one for each instance: what `count`, `for_each`, `dynamic`, override files and module inputs
 * make of what is written. This is what rules look at:
 *
 *     for (const bucket of scope.instances('aws_s3_bucket')) {
 *       const acl = bucket.get('acl');
 *       if (acl?.value.known && acl.value.value === 'public-read') report(acl.file, acl.line);
 *     }
 */
export interface BlockView {
  /** `aws_s3_bucket`, `AWS::S3::Bucket`; for a nested block its own type: `ingress`. */
  type: string;
  /** `data`, `Data`; empty for a nested block. */
  name: string;
  /** With module and key: `module.logs.aws_s3_bucket.data["eu"]`. */
  address: string;
  /** The same without the key. Equal to `refersTo` of a value that refers to this. */
  blockAddress: string;
  /** `resource`, `data`, `module`...: what the block is written as. */
  kind: string;
  block: Block;
  file: string;
  line: number;
  end_line: number;
  /** The key or the number of the instance; null when there is but one. */
  key: string | number | null;
  /** False when it is not known whether there is such an instance: `count` or the condition depends on what is unknown. */
  certain: boolean;
  /** The names of all attributes. */
  names(): string[];
  /** Null when there is no such attribute, or when it is null (Terraform) or `AWS::NoValue` (CloudFormation). */
  get(name: string): AttributeView | null;
  /** Nested blocks of a type, `dynamic` ones expanded. Always empty in CloudFormation, where maps are values. */
  blocks(type: string): BlockView[];
  /** CloudFormation: what stands beside Properties. */
  setting(name: string): AttributeView | null;
}

export interface AttributeView {
  name: string;
  value: Value;
  attribute: Attribute;
  /** Where the attribute is written, which may be an override file. */
  file: string;
  line: number;
  end_line: number;
}
