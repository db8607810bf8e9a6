import { foldedName } from '../../text/folded-name.ts';
import { attributePath } from './attribute-path.ts';
import { type Fact, leadsThrough } from './code-facts.ts';
import type { GatedBlock } from './gated-code.ts';

/** An attribute that is named, and what is set under that name. */
export interface NamedAttribute {
  text: string;
  path: readonly string[];
  facts: readonly Fact[];
}

export function namedAttributes(
  texts: readonly string[],
  blocks: readonly GatedBlock[],
  facts: readonly Fact[],
): NamedAttribute[] {
  return texts.flatMap((text) => {
    const path = attributePath(text, blocks);
    if (path.length === 0) return [];
    const exact = facts.filter((fact) => leadsThrough(fact.path, path));
    return [{ text, path, facts: exact }];
  });
}

/** It stands in the code, but comes to nothing: `null`, or a block that is repeated over an empty list. */
export function isWritten({ path }: NamedAttribute, blocks: readonly GatedBlock[]): boolean {
  const name = path.at(-1);
  return blocks.some(({ text }) => text.match(/[A-Za-z][\w-]*/g)?.some((word) => foldedName(word) === name));
}

export function isThere({ facts }: NamedAttribute): boolean {
  return facts.length > 0;
}
