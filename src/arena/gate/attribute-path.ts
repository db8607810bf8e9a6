import { addressSegments } from '../../match/claims/address-segments.ts';
import { foldedName } from '../../text/folded-name.ts';
import type { GatedBlock } from './gated-code.ts';

/** Between a resource and its attributes stand words that are no attributes. */
const NOT_NAMES = new Set(['resources', 'properties', 'resource', 'content', 'dynamic']);

/**
 * An attribute as a claim writes it, as folded names: `ingress[0].cidr_blocks`, `Properties.StorageEncrypted`,
 * `aws_db_instance.main.storage_encrypted`, `storage_encrypted = false`. Empty when it is no path at all.
 */
export function attributePath(text: string, blocks: readonly GatedBlock[]): string[] {
  const [path = ''] = text.trim().split(/\s*(?:=|:\s|\s-\s|\()/, 1);
  if (path.length > 300 || /\s.*\s/.test(path)) return [];
  const own = new Set(blocks.flatMap(({ address }) => address.split('.').map(foldedName)));
  const names = addressSegments(path.replaceAll(/[\s/]+/g, '.')).map((segment) => foldedName(segment.text));
  const kept = names.filter((name) => name !== '' && !NOT_NAMES.has(name) && !/^\d+$/.test(name) && name !== '*');
  // A resource may be called like its attribute, so its name goes only where something stands behind it.
  return kept.filter((name, index) => index === kept.length - 1 || !own.has(name));
}
