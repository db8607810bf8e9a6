import { referencesIn } from '../../iac/read/references.ts';
import type { GatedBlock, GatedCode } from './gated-code.ts';

/** Which blocks refer to which. */
export interface Links {
  /** Resources that refer to this one: `aws_s3_bucket_versioning` to its bucket. */
  referringTo(block: GatedBlock): readonly GatedBlock[];
  /** All blocks whose code can contain a flaw of these: themselves, their neighbours, and the policies of those. */
  around(blocks: readonly GatedBlock[]): ReadonlySet<GatedBlock>;
}

/** The number of references from a role through an attachment and a policy to its document. */
const FURTHEST = 3;
const POLICY = /polic|document|attachment/i;

/** Reads all references once, since code can have thousands of resources and a manifest many entries. */
export function readLinks({ blocks, sources }: GatedCode): Links {
  const gated = new Map(blocks.flatMap((block) => (block.code ? [[block.code, block] as const] : [])));
  const outgoing = new Map<GatedBlock, GatedBlock[]>();
  const incoming = new Map<GatedBlock, GatedBlock[]>();
  for (const [from, targets] of referencesIn([...sources.values()])) {
    const block = gated.get(from);
    if (!block) continue;
    const others = [...targets].flatMap((target) => gated.get(target) ?? []);
    outgoing.set(block, others);
    for (const other of others) {
      const users = incoming.get(other) ?? [];
      users.push(block);
      incoming.set(other, users);
    }
  }
  const referringTo = (block: GatedBlock) => incoming.get(block) ?? [];
  const referredBy = (block: GatedBlock) => outgoing.get(block) ?? [];
  return {
    referringTo,
    around(centre) {
      const near = new Set(centre.flatMap((block) => [block, ...referringTo(block), ...referredBy(block)]));
      let edge = [...near];
      for (let step = 1; step < FURTHEST; step += 1) {
        const next = edge.flatMap(referredBy);
        edge = next.filter((block) => !near.has(block) && (block.kind === 'data' || POLICY.test(block.type)));
        for (const block of edge) near.add(block);
      }
      return near;
    },
  };
}
