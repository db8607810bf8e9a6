import type { Json } from '../../../iac/evaluate/value.ts';

/** Where a person would look, and what stands there. */
export interface Spot {
  file: string;
  line: number;
  end_line: number;
  text: string;
}

/**
 * A block, a value or a part of one: what it comes to, and where it stands. Blocks of Terraform, maps of CloudFormation
 * and JSON inside of texts are walked through in the same way.
 */
export interface CodeNode {
  spot: Spot;
  /** False when the code alone does not tell. A list or a map is known, even though parts of it may not be. */
  known: boolean;
  /** What it comes to, with `${...}` for what is not known; null for a block. */
  json: Json;
  /** What stands under a name: several when this is a list, none when there is nothing; this itself when it is unknown. */
  children(name: string): CodeNode[];
  /** The elements of a list; of anything else itself. */
  items(): CodeNode[];
  /** The names of what it holds. */
  names(): string[];
}
