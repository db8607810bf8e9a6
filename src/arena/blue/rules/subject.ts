import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { CodeNode, Spot } from '../../../iac/read/code-node.ts';
import type { Block } from '../../../iac/syntax/source-file.ts';
import type { Companions } from './companions.ts';

/** A block that a rule looks at. */
export interface Subject {
  type: string;
  address: string;
  file: string;
  block: Block;
  node: CodeNode;
  /** Null for what is no resource. */
  view: BlockView | null;
  surroundings: Surroundings;
}

/** What a rule may ask about the project around a block. */
export interface Surroundings {
  companions: Companions;
  lineIn(spot: Spot, text: string, passOver?: number): Spot;
  /** What is written from the head of a block to its end, without comments. */
  textOf(block: Block, file: string): { text: string; line: number }[];
  /** Files and lines of policy documents, to name the one that a spot lies in. */
  documentAt(spot: Spot): string | null;
}
