import type { Json } from '../../iac/evaluate/value.ts';
import { isRecord } from '../../text/is-record.ts';
import { foldedName } from '../../text/names.ts';
import { type Fact, factsIn } from './code-facts.ts';
import type { GatedBlock } from './gated-code.ts';
import type { Links } from './linked-blocks.ts';

/** Further companions are ignored. */
const MOST_COMPANIONS = 200;

/**
 * All settings of some blocks: their own, and those of companions that refer to them. The settings of the
 * `aws_s3_bucket_versioning` of a bucket are under `versioning`. A companion with `count = 0` sets nothing.
 */
export function subjectFacts(blocks: readonly GatedBlock[], links: Links): Fact[] {
  const own = blocks.flatMap((block) =>
    block.values().flatMap((value) => [...factsIn(value), ...asPartOfBucket(block, value)]),
  );
  const companions = blocks.flatMap((block) =>
    links
      .referringTo(block)
      .slice(0, MOST_COMPANIONS)
      .flatMap((other) => companionFacts(block, other)),
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
