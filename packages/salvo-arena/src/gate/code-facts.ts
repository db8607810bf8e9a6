import { foldedName, isRecord } from 'salvo/kit/text';
import type { Json } from '../iac/evaluate/value.ts';
import { jsonInText } from '../iac/read/code-node.ts';
import type { GatedBlock } from './gated-code.ts';

/** A value in a resource: an attribute, or anything inside of one. */
export interface Fact {
  /** Folded names from the outside in, without indices. */
  path: readonly string[];
  value: Json;
}

/** Further values of a resource are ignored. */
const MOST_FACTS = 20_000;

/** Every value in a value, itself first. A text that encodes JSON, such as a policy, counts as what it encodes. */
function factsIn(value: Json, path: readonly string[] = []): Fact[] {
  const facts: Fact[] = [];
  const waiting: Fact[] = [{ path, value }];
  for (let fact = waiting.pop(); fact && facts.length < MOST_FACTS; fact = waiting.pop()) {
    facts.push(fact);
    waiting.push(...partsOf(fact).toReversed());
  }
  return facts;
}

function partsOf({ path, value }: Fact): Fact[] {
  const inner = typeof value === 'string' ? jsonInText(value) : value;
  if (Array.isArray(inner)) return inner.map((item) => ({ path, value: item }));
  if (typeof inner !== 'object' || inner === null) return [];
  return Object.entries(inner).map(([name, item]) => ({ path: [...path, foldedName(name)], value: item }));
}

/** Whether a path contains these names in this order, possibly with others in between. */
export function leadsThrough(path: readonly string[], names: readonly string[]): boolean {
  let next = 0;
  for (const step of path) if (step === names[next]) next += 1;
  return next === names.length;
}

/** Further companions are ignored. */
const MOST_COMPANIONS = 200;

/**
 * All settings of some blocks: their own, and those of companions that refer to them. The settings of the
 * `aws_s3_bucket_versioning` of a bucket are under `versioning`. A companion with `count = 0` sets nothing.
 */
export function subjectFacts(blocks: readonly GatedBlock[]): Fact[] {
  const own = blocks.flatMap((block) =>
    block.values().flatMap((value) => [...factsIn(value), ...asPartOfBucket(block, value)]),
  );
  const companions = blocks.flatMap((block) =>
    block.referringTo.slice(0, MOST_COMPANIONS).flatMap((other) => companionFacts(block, other)),
  );
  return [...own, ...companions].filter(({ path }) => path.length > 0);
}

/** A claim about `aws_s3_bucket_logging` may also name its `logging`. */
function asPartOfBucket({ type }: GatedBlock, value: Json): Fact[] {
  const [, part] = /^aws_s3_bucket_(.+)$/.exec(type) ?? [];
  return part === undefined ? [] : factsIn(value, [foldedName(part)]);
}

function companionFacts(block: GatedBlock, other: GatedBlock): Fact[] {
  if (block.type === '' || !other.type.startsWith(`${block.type}_`) || !other.deployed()) return [];
  const name = foldedName(other.type.slice(block.type.length + 1));
  return other
    .values()
    .filter((value) => belongsTo(block, value))
    .flatMap((value) => factsIn(value, [name]));
}

/** `aws_s3_bucket_logging` refers to two buckets, but belongs to only one of them. */
function belongsTo(block: GatedBlock, value: Json): boolean {
  const bucket = bucketOf(value);
  // A companion without a `bucket` belongs to no bucket.
  if (bucket === null) return block.type !== 'aws_s3_bucket';
  return (
    bucket.includes(`${block.address}.`) ||
    bucket.includes(`${block.address}[`) ||
    block.values().some((own) => bucketOf(own) === bucket)
  );
}

function bucketOf(value: Json): string | null {
  return isRecord(value) && typeof value.bucket === 'string' ? value.bucket : null;
}
