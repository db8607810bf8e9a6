import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Planted } from './mutated-code.ts';
import { referencesIn } from './references.ts';

/** Flaws that reach whoever uses the resource that has them: an open group, a role that may do everything. */
const REACHING: ReadonlySet<string> = new Set(['network', 'public_access', 'access_control', 'iam']);

/**
 * The resources that are as they were, byte for byte, and that one would not name for any of the flaws: not what has
 * one, not what belongs to it (the versioning of a flawed bucket), and not what a reaching flaw reaches.
 */
export function cleanResources(twin: CodeProject, project: CodeProject, planted: readonly Planted[]): string[] {
  const before = codeByAddress(twin);
  const after = codeByAddress(project);
  const references = referencesIn(project);
  const tainted = new Set<string>();
  for (const { target, opening } of planted) {
    const named = [target.address, opening.target.address];
    for (const address of [...named, ...target.related]) tainted.add(address);
    for (const [other, names] of references) {
      const isUser = named.some((address) => names.has(address));
      const isUsed = named.some((address) => references.get(address)?.has(other) === true);
      const isOfService = named.some((address) => serviceOf(address) === serviceOf(other));
      if ((isUser || isUsed) && (isOfService || (isUser && REACHING.has(opening.weakness.category))))
        tainted.add(other);
    }
  }
  return [...before]
    .filter(([address, code]) => code.length === 1 && isEqual(after.get(address), code) && !tainted.has(address))
    .map(([address]) => address);
}

/** More than one piece of code for an address when an override file says something about it. */
function codeByAddress({ files }: CodeProject): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { blocks, text } of files) {
    for (const { type, address, range } of blocks) {
      if (type !== 'resource') continue;
      found.set(address, [...(found.get(address) ?? []), text.slice(range.start, range.end)]);
    }
  }
  return found;
}

function isEqual(a: readonly string[] | undefined, b: readonly string[]): boolean {
  return a?.length === b.length && a.every((code, index) => code === b[index]);
}

/** `aws_s3` of `aws_s3_bucket.a`, `AWS::S3` of `AWS::S3::Bucket.A`. */
function serviceOf(address: string): string {
  return /^(?:AWS::\w+|(?:data\.)?aws_[a-z0-9]+)/.exec(address)?.[0].replace('data.', '') ?? address;
}
