import { foldedName } from 'salvo/kit/text';
import { addressSegments } from '../match/claims/address-segments.ts';
import { type Fact, leadsThrough } from './code-facts.ts';
import type { GatedClaim } from './gated-claim.ts';
import type { GatedBlock } from './gated-code.ts';

/** An attribute that a claim names, with the values at that path. */
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
    const path = claimedPath(text, blocks);
    if (path.length === 0) return [];
    return [{ text, path, facts: facts.filter((fact) => leadsThrough(fact.path, path)) }];
  });
}

/** Whether the name is in the code at all. Its value may be `null`, or its block repeated over an empty list. */
export function isWritten({ path }: NamedAttribute, blocks: readonly GatedBlock[]): boolean {
  const name = path.at(-1);
  return blocks.some(({ text }) => text.match(/[A-Za-z][\w-]*/g)?.some((word) => foldedName(word) === name));
}

/** The paths that a claim names. */
export function claimedPaths({ attributes }: GatedClaim, blocks: readonly GatedBlock[]): string[][] {
  return attributes.map((text) => claimedPath(text, blocks)).filter((path) => path.length > 0);
}

export function isThere({ facts }: NamedAttribute): boolean {
  return facts.length > 0;
}

/** Words between a resource and its attributes that are not attributes. */
const NOT_NAMES = new Set(['resources', 'properties', 'resource', 'content', 'dynamic']);

/**
 * An attribute as a claim writes it, as folded names: `ingress[0].cidr_blocks`, `Properties.StorageEncrypted`,
 * `aws_db_instance.main.storage_encrypted`, `storage_encrypted = false`. Empty for a text that is no path.
 */
function claimedPath(text: string, blocks: readonly GatedBlock[]): string[] {
  const path = (text.trim().split(/=|:\s|\s-\s|\(/, 1)[0] ?? '').trimEnd();
  if (path.length > 300 || /\s.*\s/.test(path)) return [];
  const own = new Set(blocks.flatMap(({ address }) => address.split('.').map(foldedName)));
  const names = addressSegments(path.replaceAll(/[\s/]+/g, '.')).map((segment) => foldedName(segment.text));
  const kept = names.filter((name) => name !== '' && !NOT_NAMES.has(name) && !/^\d+$/.test(name) && name !== '*');
  // A resource may have the name of its attribute, so the name of a resource is dropped only before another name.
  return kept.filter((name, index) => index === kept.length - 1 || !own.has(name));
}
