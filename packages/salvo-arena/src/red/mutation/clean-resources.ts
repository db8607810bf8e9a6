import { isDeepStrictEqual } from 'node:util';
import { referencesByAddress } from '../../iac/read/references.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import { concernedResources } from '../../match/source/concerned-resources.ts';
import type { PlantedFlaw } from './mutated-code.ts';

/** A flaw of these categories also affects the resources that use the flawed one: an open group, a wide role. */
const SPREADING: ReadonlySet<string> = new Set(['network', 'public_access', 'access_control', 'iam']);

/**
 * The resources that are unchanged and that no correct finding would name. Left out are the flawed resources, what
 * belongs to them (the versioning of a flawed bucket), and what uses them if the flaw spreads to its users.
 */
export function cleanResources(twin: CodeProject, project: CodeProject, planted: readonly PlantedFlaw[]): string[] {
  const before = codeByAddress(twin);
  const after = codeByAddress(project);
  const references = referencesByAddress(project);
  const tainted = new Set<string>();
  for (const { target, site } of planted) {
    const named = [target.address, site.target.address];
    const concerned = concernedResources(references, target.address);
    for (const address of [...named, ...target.related, ...concerned]) tainted.add(address);
    for (const [other, names] of references) {
      const isUser = named.some((address) => names.has(address));
      const isUsed = named.some((address) => references.get(address)?.has(other) === true);
      const isOfService = named.some((address) => serviceOf(address) === serviceOf(other));
      if ((isUser || isUsed) && (isOfService || (isUser && SPREADING.has(site.weakness.category)))) tainted.add(other);
    }
  }
  return [...before]
    .filter(
      ([address, code]) => code.length === 1 && isDeepStrictEqual(after.get(address), code) && !tainted.has(address),
    )
    .map(([address]) => address);
}

/** An address has several pieces of code if an override file changes it. */
function codeByAddress({ files }: CodeProject): Map<string, string[]> {
  const pieces = files.flatMap(({ blocks, text }) =>
    blocks.flatMap(({ type, address, range }) =>
      type === 'resource' ? [{ address, code: text.slice(range.start, range.end) }] : [],
    ),
  );
  const byAddress = Map.groupBy(pieces, ({ address }) => address);
  return new Map([...byAddress].map(([address, all]) => [address, all.map(({ code }) => code)]));
}

/** `aws_s3` of `aws_s3_bucket.a`, `AWS::S3` of `AWS::S3::Bucket.A`. */
function serviceOf(address: string): string {
  return /^(?:AWS::\w+|(?:data\.)?aws_[a-z0-9]+)/.exec(address)?.[0].replace('data.', '') ?? address;
}
