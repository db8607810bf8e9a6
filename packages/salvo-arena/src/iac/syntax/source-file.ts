import type { CodeLanguage } from './code-block.ts';
import type { Attribute, ObjectExpression, TextRange } from './expression.ts';

/**
 * One model for both languages. Everything in it is a plain object that may be kept, compared and copied.
 *
 *     SourceFile            main.tf, template.yaml
 *       blocks: Block[]       resource "aws_s3_bucket" "data" { ... }      Data: {Type: AWS::S3::Bucket, ...}
 *         attributes            acl = "private"                              the entries of Properties
 *           value: Expression     "private", var.acl, [1, 2], jsonencode({...})   !Ref Acl, !Sub "..."
 *         blocks                ingress { ... }                              (never: lists and maps are values there)
 *
 * A `range` counts UTF-16 units: its text is `text.slice(range.start, range.end)`. Lines and columns count from 1.
 *
 * `parseCode(files)` parses a project. Then:
 * - `evaluate/scope.ts` evaluates expressions, and gives the instances of resources.
 * - `read/code-reader.ts` reads evaluated code as nodes, for rules and checks; `read/written-code.ts` finds the code
 *   that an edit has to change. Both use the paths of `read/attribute-path.ts`.
 * - `edit/` makes edits, which `edit/edits.ts` applies to the text. Parse again before further edits.
 * - `read/code-blocks.ts` finds the block of a line.
 */
export interface SourceFile {
  file: string;
  language: CodeLanguage;
  /** `json` is Terraform JSON, or a CloudFormation template in JSON. */
  syntax: 'hcl' | 'yaml' | 'json';
  text: string;
  blocks: Block[];
  /** Attributes outside of all blocks: the values of a `.tfvars` file. */
  attributes: Attribute[];
  comments: TextRange[];
  /** In the order of the file. Intact blocks are parsed nevertheless. */
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
 * `mappings`, `conditions`, `rules`, `globals` and `metadata` for these sections as a whole, with their entries as
 * attributes.
 */
export interface Block {
  type: string;
  /** `['aws_s3_bucket', 'data']`, `['AWS::S3::Bucket', 'Data']`, `['region']`; empty for `locals` or `ingress`. */
  labels: string[];
  /** As in CodeBlock; for a nested block, its type after the address of the outer block: `aws_instance.a.ingress`. */
  address: string;
  attributes: Attribute[];
  /** Nested blocks as they are written. `BlockView.blocks` has `dynamic` ones expanded. */
  blocks: Block[];
  /**
   * CloudFormation: the entries beside Properties (`Type`, `DeletionPolicy`, `Condition`, `DependsOn`...). Empty in
   * Terraform, where `count` and `depends_on` are attributes.
   */
  settings: Attribute[];
  /** From the first letter of the head to the closing brace. In YAML from the name to the end of the last value. */
  range: TextRange;
  /** Between the braces; in CloudFormation the map below Properties, or null if there is none. */
  bodyRange: TextRange | null;
  line: number;
  end_line: number;
}

/** A block or object, which have attributes of the same form. */
export type AttributeHolder = Block | ObjectExpression;

/** A file in which nothing has been read yet. */
export function emptySource(head: Pick<SourceFile, 'file' | 'text' | 'language' | 'syntax'>): SourceFile {
  return { ...head, blocks: [], attributes: [], comments: [], problems: [] };
}
