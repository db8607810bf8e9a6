import type { Attribute } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import type { Value } from './value.ts';

/**
 * An instance of a block after evaluation: `count`, `for_each`, `dynamic`, override files and module inputs are
 * applied.
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
  /** The address of the module instance that it is in: `module.logs["eu"].`; empty for a root. */
  module: string;
  /** With module and key: `module.logs.aws_s3_bucket.data["eu"]`. */
  address: string;
  /** The same without the key. Equal to `refersTo` of a value that refers to this. */
  blockAddress: string;
  /** The type of the written block: `resource`, `data`, `module`... */
  kind: string;
  block: Block;
  file: string;
  line: number;
  end_line: number;
  /** The key or number of the instance; null when there is only one. */
  key: string | number | null;
  /** False when the instance may not exist, because `count` or the condition is unknown. */
  certain: boolean;
  /** The names of all attributes. */
  names(): string[];
  /** Null when there is no such attribute, or its value is null (Terraform) or `AWS::NoValue` (CloudFormation). */
  get(name: string): AttributeView | null;
  /** Nested blocks of a type, `dynamic` ones expanded. Always empty in CloudFormation, where maps are values. */
  blocks(type: string): BlockView[];
  /** CloudFormation: an entry beside Properties. */
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
