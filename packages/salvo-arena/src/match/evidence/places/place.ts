import type { Claim } from '../../claims/claim.ts';
import { parseAddress, type ResourceAddress, sameAddress } from '../../claims/resource-address.ts';
import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import { areLooselySame } from './loose-name.ts';
import {
  compareSites,
  isDefinedElsewhere,
  linesOverlap,
  MOST_RESOURCES,
  type Sites,
  sameFile,
  sitesOf,
} from './sites.ts';

/**
 * How the places of two claims in the code are related.
 * - `same`: one resource.
 * - `part`: a resource and what configures it (`aws_s3_bucket.a` and `aws_s3_bucket_acl.a`), or another resource of the
 *   same name and service.
 * - `lines`: their lines overlap, and nothing else is known.
 * - `unknown`: there is nothing to compare.
 * - `near`: different resources that may belong together, such as a role and a policy, or one under a loose name.
 * - `other`: different resources, or different files.
 */
export type PlaceRelation = 'same' | 'part' | 'lines' | 'unknown' | 'near' | 'other';

export interface Place extends Sites {
  /** Of resources only. */
  addresses: readonly ResourceAddress[];
  /** The object of each address's type; null when unknown. */
  objects: readonly (number | null)[];
}

export function placeOf(lexicon: Lexicon, claim: Claim): Place {
  const addresses = claim.resources.slice(0, MOST_RESOURCES).map(parseAddress).filter(namesResource);
  const objects = addresses.map(({ type }) => (type === null ? null : lexicon.objectOfType(type)));
  return { ...sitesOf(claim), addresses, objects };
}

/** Sentences ("the data bucket"), names in the cloud and variables cannot be compared with resources. */
function namesResource({ type, name }: ResourceAddress): boolean {
  return name !== null && !/\s/.test(name) && !NO_RESOURCES.has(type ?? '');
}

const NO_RESOURCES = new Set(['arn', 'local', 'output', 'provider', 'var']);

export function comparePlaces(lexicon: Lexicon, a: Place, b: Place): PlaceRelation {
  const byResource = compareResources(lexicon, a, b);
  if (byResource === 'same' || byResource === 'part') return byResource;
  const bySite = compareSites(a, b);
  if (bySite !== null) return bySite;
  if (isDefinedElsewhere(a, b)) return 'other';
  if (a.file !== null && b.file !== null) {
    if (!sameFile(a.file, b.file)) return 'other';
    if (byResource !== 'other' && linesOverlap(a, b)) return 'lines';
  }
  return byResource;
}

/** Whether a vulnerability names the place of a finding, and not only something that may belong to it. */
export function isListed(vulnerability: Place, finding: Place): boolean {
  const isNamed = vulnerability.named.some((one) => finding.named.some((other) => sameAddress(one, other)));
  return isNamed || compareSites(vulnerability, finding) !== null;
}

function compareResources(lexicon: Lexicon, a: Place, b: Place): PlaceRelation {
  if (a.addresses.length === 0 || b.addresses.length === 0) return 'unknown';
  let best: PlaceRelation = 'other';
  // Millions of pairs are compared, so there are no iterators here.
  for (let i = 0; i < a.addresses.length; i += 1) {
    for (let j = 0; j < b.addresses.length; j += 1) {
      const [left, right] = [a.addresses[i], b.addresses[j]];
      if (left === undefined || right === undefined) continue;
      const relation = compareAddresses(lexicon, left, right, a.objects[i] ?? null, b.objects[j] ?? null);
      if (relation === 'same') return 'same';
      if (relation === 'part' || best === 'other') best = relation;
    }
  }
  return best;
}

/** From this affinity in the lexicon on, two objects belong to one service. */
const ONE_SERVICE = 0.3;

function compareAddresses(
  lexicon: Lexicon,
  a: ResourceAddress,
  b: ResourceAddress,
  objectA: number | null,
  objectB: number | null,
): PlaceRelation {
  if (sameAddress(a, b)) return 'same';
  if (a.type === b.type) return areLooselySame(a, b) ? 'near' : 'other';
  if (a.type === null || b.type === null) return shareWord(a.name, b.name) ? 'near' : 'other';
  if (!areTypesRelated(lexicon, { type: a.type, object: objectA }, { type: b.type, object: objectB })) return 'other';
  return a.name === b.name ? 'part' : 'near';
}

/** A type of resources, and its object in the lexicon; null when unknown. */
export interface KnownType {
  type: string;
  object: number | null;
}

/** Whether a resource of the one type may belong to one of the other. */
export function areTypesRelated({ affinity, concepts }: Lexicon, a: KnownType, b: KnownType): boolean {
  if (a.object === null || b.object === null) return a.type.startsWith(b.type) || b.type.startsWith(a.type);
  return (affinity[a.object * concepts.length + b.object] ?? 0) >= ONE_SERVICE;
}

/**
 * A bare name may be the one in the cloud, which often resembles the one in the code: `data` and `acme-data-bucket`.
 */
function shareWord(a: string | null, b: string | null): boolean {
  const words = new Set((a ?? '').split(/[-_./]/));
  return (b ?? '').split(/[-_./]/).some((word) => word.length > 2 && words.has(word));
}
