import type { Claim } from '../../claims/claim.ts';
import { parseAddress, type ResourceAddress, sameAddress } from '../../claims/resource-address.ts';

/** Lines are counted from 1; 0 when they are unknown. */
interface Spot {
  file: string | null;
  first: number;
  last: number;
}

/** What a claim names, and the further places of a vulnerability. */
export interface Sites extends Spot {
  /** Every address that the claim names, also of variables, locals and module calls. */
  named: readonly ResourceAddress[];
  further: readonly (Spot & { address: ResourceAddress | null; isRelated: boolean })[];
  /** Neither further sites nor a module as a whole: most claims, of which millions of pairs are compared. */
  isPlain: boolean;
}

export function sitesOf({ resources, locations, file, line, end_line }: Claim): Sites {
  const named = resources.slice(0, MOST_RESOURCES).map(parseAddress).filter(isAddress);
  return {
    named,
    isPlain: locations.length === 0 && !named.some(isModule),
    further: locations.map((location) => ({
      ...spotOf(location.file ?? null, location.line ?? null, location.end_line ?? null),
      address: location.resource ? parseAddress(location.resource) : null,
      isRelated: location.kind === 'related',
    })),
    ...spotOf(file, line, end_line),
  };
}

/** Of a claim that names more, the others are not compared. */
export const MOST_RESOURCES = 20;

function spotOf(file: string | null, line: number | null, endLine: number | null): Spot {
  return { file, first: line ?? 0, last: Math.max(line ?? 0, endLine ?? 0) };
}

/** A sentence is no address, an ARN names something in the cloud, and a kind of block names none of its blocks. */
function isAddress({ module, type, name }: ResourceAddress): boolean {
  if (type === null && module === '' && BLOCK_KINDS.has(name ?? '')) return false;
  return type !== 'arn' && (name === null ? module !== '' : !/\s/.test(name));
}

const BLOCK_KINDS: ReadonlySet<string> = new Set(
  'conditions data local locals mappings module output outputs parameters provider resource terraform variable variables'.split(
    ' ',
  ),
);

/**
 * Whether one claim is at a further site of the other. The site of a definition is as right as the flawed resource:
 * `same`. A related resource, or a resource inside the module that is called there, is `part`. Null when neither is at
 * a site of the other.
 */
export function compareSites(a: Sites, b: Sites): 'same' | 'part' | null {
  if (a.isPlain && b.isPlain) return null;
  const relations = [...relationsTo(a, b), ...relationsTo(b, a)];
  if (relations.includes('same')) return 'same';
  if (relations.includes('part')) return 'part';
  return a.named.some((one) => b.named.some((other) => isInside(one, other) || isInside(other, one))) ? 'part' : null;
}

/** Whether one claim lists all sites that carry it, and the other names only definitions that are none of them. */
export function isDefinedElsewhere(a: Sites, b: Sites): boolean {
  const isElsewhere = (flaw: Sites, claim: Sites) =>
    flaw.further.length > 0 && claim.named.length > 0 && claim.named.every(({ type }) => DEFINITIONS.has(type ?? ''));
  return isElsewhere(a, b) || isElsewhere(b, a);
}

const DEFINITIONS = new Set(['local', 'var']);

function relationsTo(flaw: Sites, claim: Sites): ('same' | 'part' | null)[] {
  return flaw.further.map((site) => {
    const hit = site.isRelated ? 'part' : 'same';
    const { address } = site;
    if (address && claim.named.some((named) => sameAddress(address, named))) return hit;
    if (address && claim.named.some((named) => isInside(named, address))) return 'part';
    // Lines decide only for a claim that names nothing: a named thing is at the site or it is not.
    return claim.named.length === 0 && isAtSpot(site, claim) ? hit : null;
  });
}

function isAtSpot(site: Spot, claim: Spot): boolean {
  return site.file !== null && claim.file !== null && sameFile(site.file, claim.file) && linesOverlap(site, claim);
}

/** Whether a resource is inside a module that is addressed as a whole: `module.x.aws_s3_bucket.a` and `module.x`. */
function isInside(resource: ResourceAddress, whole: ResourceAddress): boolean {
  if (!isModule(whole) || resource.name === null) return false;
  return resource.module === whole.module || resource.module.startsWith(`${whole.module}.`);
}

function isModule({ module, type, name }: ResourceAddress): boolean {
  return module !== '' && type === null && name === null;
}

/** Some tools report the line before a block. */
const LINE_TOLERANCE = 2;

export function sameFile(a: string, b: string): boolean {
  if (a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)) return true;
  // The same name in different folders: one of the paths may start elsewhere.
  return a.slice(a.lastIndexOf('/') + 1) === b.slice(b.lastIndexOf('/') + 1);
}

export function linesOverlap(a: Spot, b: Spot): boolean {
  if (a.first === 0 || b.first === 0) return false;
  return a.first <= b.last + LINE_TOLERANCE && b.first <= a.last + LINE_TOLERANCE;
}
