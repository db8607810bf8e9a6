import type { CodeLanguage } from './code-block.ts';
import type { Attribute, ObjectExpression, TextRange } from './expression.ts';

/**
 * One model for both languages. Everything in it is a plain object that may be kept, compared and copied.
 *
 *     SourceFile            main.tf, template.yaml
 *       blocks: Block[]       resource "aws_s3_bucket" "data" { ... }      Data: {Type: AWS::S3::Bucket, ...}
 *         attributes            acl = "private"                              what stands under Properties
 *           value: Expression     "private", var.acl, [1, 2], jsonencode({...})   !Ref Acl, !Sub "..."
 *         blocks                ingress { ... }                              (never: lists and maps are values there)
 *
 * Every `range` counts UTF-16 units, so that `text.slice(range.start, range.end)` is what stands there; lines and
 * columns count from 1.
 *
 * `parseCode(files)` reads a project. From there on:
 * - `expression.ts`: what a value may look like; `attribute-at.ts` finds one by its path, for a line to point at.
 * - `scope.ts`: what values come to, and which resources there are in the end (`block-view.ts`). Rules and checks use this.
 * - `edits.ts`: changing the text by ranges; `remove-attribute.ts`, `replace-value.ts`, `insert-attribute.ts`,
 *   `remove-block.ts`, `insert-block.ts` and `comment-edits.ts` make the edits. Parse again before further ones.
 * - `code-blocks.ts`, `block-at.ts`: which block a line lies in.
 */
export interface SourceFile {
  file: string;
  language: CodeLanguage;
  /** How the text is written: `json` is Terraform JSON, or a CloudFormation template that is JSON. */
  syntax: 'hcl' | 'yaml' | 'json';
  text: string;
  blocks: Block[];
  /** What stands outside of all blocks: the values of a `.tfvars` file. */
  attributes: Attribute[];
  comments: TextRange[];
  /** In the order of the file. Blocks that are intact are there all the same. */
  problems: ParseProblem[];
}

export interface ParseProblem {
  line: number;
  column: number;
  message: string;
}

/**
 * Terraform: any block, with its type as it is written (`resource`, `data`, `variable`, `locals`, `module`, `ingress`,
 * `dynamic`...). CloudFormation: `resource`; `variable` for an entry of Parameters, `output` for one of Outputs;
 * `mappings`, `conditions`, `rules`, `globals` and `metadata` for these sections as a whole, with their entries as attributes.
 */
export interface Block {
  type: string;
  /** `['aws_s3_bucket', 'data']`, `['AWS::S3::Bucket', 'Data']`, `['region']`; empty for `locals` or `ingress`. */
  labels: string[];
  /** As in CodeBlock; for a nested block its type behind the address of the block around it: `aws_instance.a.ebs_block_device`. */
  address: string;
  attributes: Attribute[];
  /** Nested blocks. A `dynamic` block is here as it is written; `scope.view` shows it expanded. */
  blocks: Block[];
  /**
   * CloudFormation: what stands beside Properties (`Type`, `DeletionPolicy`, `Condition`, `DependsOn`...). Empty in Terraform, where
   * `count` or `depends_on` are attributes.
   */
  settings: Attribute[];
  /** From the first letter of the head to the closing brace. In YAML from the name to the end of the last value. */
  range: TextRange;
  /** Between the braces; in CloudFormation the map below Properties, null where there is none. */
  bodyRange: TextRange | null;
  line: number;
  end_line: number;
}

/** What can have attributes: both are read and edited in the same way. */
export type AttributeHolder = Block | ObjectExpression;
