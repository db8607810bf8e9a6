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
export function readLinks({ blocks }: GatedCode): Links {
  const byName = new Map<string, GatedBlock>();
  for (const block of blocks) if (block.kind !== 'other') byName.set(keyOf(block, nameIn(block)), block);
  const outgoing = new Map<GatedBlock, Set<GatedBlock>>();
  const incoming = new Map<GatedBlock, Set<GatedBlock>>();
  for (const block of blocks) {
    if (block.kind === 'other') continue;
    for (const name of namesIn(block)) {
      const target = byName.get(keyOf(block, name));
      if (!target || target === block) continue;
      add(outgoing, block, target);
      add(incoming, target, block);
    }
  }
  const referringTo = (block: GatedBlock) => [...(incoming.get(block) ?? [])];
  return {
    referringTo,
    around(centre) {
      const near = new Set(centre.flatMap((block) => [block, ...referringTo(block), ...(outgoing.get(block) ?? [])]));
      let edge = [...near];
      for (let step = 1; step < FURTHEST; step += 1) {
        const next = edge.flatMap((block) => [...(outgoing.get(block) ?? [])]);
        edge = next.filter((block) => !near.has(block) && (block.kind === 'data' || POLICY.test(block.type)));
        for (const block of edge) near.add(block);
      }
      return near;
    },
  };
}

/** Names are unique within a folder in Terraform, and within a file in CloudFormation. */
function keyOf({ source }: GatedBlock, name: string): string {
  const place = source.language === 'terraform' ? source.file.slice(0, source.file.lastIndexOf('/') + 1) : source.file;
  return `${place}\n${name}`;
}

/** How other blocks refer to it: `aws_s3_bucket.data`, in CloudFormation only the name. */
function nameIn({ source, address }: GatedBlock): string {
  return source.language === 'terraform' ? address : address.slice(address.lastIndexOf('.') + 1);
}

function namesIn({ source, text }: GatedBlock): Set<string> {
  if (source.language === 'cloudformation') return new Set(text.match(/[A-Za-z0-9]+/g));
  const names = new Set<string>();
  // A single character class, so that the pattern takes linear time on a megabyte without a dot.
  for (const [path] of text.matchAll(/[A-Za-z_][\w.-]*/g)) {
    if (!path.includes('.')) continue;
    const steps = path.split('.', 3);
    names.add(steps.slice(0, steps[0] === 'data' ? 3 : 2).join('.'));
  }
  return names;
}

function add(links: Map<GatedBlock, Set<GatedBlock>>, from: GatedBlock, to: GatedBlock): void {
  const linked = links.get(from) ?? new Set();
  linked.add(to);
  links.set(from, linked);
}
