import type { Json } from '../../iac/evaluate/value.ts';
import { foldedName } from '../../text/folded-name.ts';
import { isRecord } from '../../text/is-record.ts';
import type { Fact } from './code-facts.ts';
import { factsIn } from './code-facts.ts';
import type { GatedBlock } from './gated-code.ts';
import type { Links } from './linked-blocks.ts';

/** A block can hardly have more companions that matter. */
const MOST_COMPANIONS = 200;

/**
 * All that is set on some blocks: by themselves, and by companions that refer to them, such as the
 * `aws_s3_bucket_versioning` of a bucket, whose settings stand under `versioning`. A companion that is never made
 * (`count = 0`) sets nothing.
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

/** Who names `aws_s3_bucket_logging` may speak of its `logging` all the same. */
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

/** `aws_s3_bucket_logging` names two buckets, and is about only one of them. */
function belongsTo(block: GatedBlock, value: Json): boolean {
  const bucket = bucketOf(value);
  // One whose `bucket` comes to nothing belongs to none.
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
