import { blockAt, codeBlocks } from '../iac/read/code-blocks.ts';
import type { Finding } from './claims/finding.ts';
import { normalisePath } from './importers/normalise-path.ts';

/**
 * Gives every finding that has a file and a line but no resource the address of the block it lies in. The files are
 * those that were scanned, by path; a finding's path may begin elsewhere, so the longest common end decides.
 */
export async function locateFindings(
  findings: readonly Finding[],
  files: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  if (!findings.some(isLost)) return [...findings];
  const blocks = await codeBlocks(files);
  const byFile = Map.groupBy(blocks, ({ file }) => file);
  const fileOf = fileFinder(Object.keys(files));
  return findings.map((finding) => {
    const { file, line } = finding;
    if (!isLost(finding) || !file || !line) return finding;
    const named = fileOf(file);
    const block = named === null ? null : blockAt(byFile.get(named) ?? [], named, line);
    return block ? { ...finding, resource: block.address } : finding;
  });
}

function isLost({ resource, file, line }: Finding): boolean {
  const named = Array.isArray(resource) ? resource.some((one) => one !== '') : resource;
  return !named && typeof file === 'string' && typeof line === 'number';
}

/**
 * Finds the file that a path means: one of the two has to be the end of the other, since `a/main.tf` is not
 * `b/main.tf`. Null when there is none, or when two are as good.
 */
function fileFinder(files: readonly string[]): (path: string) => string | null {
  const all = files.map((file) => ({ file, steps: stepsOf(file) }));
  const byName = Map.groupBy(all, ({ steps }) => steps[0] ?? '');
  const known = new Map<string, string | null>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const steps = stepsOf(path);
    const file = bestOf(byName.get(steps[0] ?? '') ?? [], steps);
    known.set(path, file);
    return file;
  };
}

function bestOf(candidates: readonly { file: string; steps: string[] }[], wanted: readonly string[]): string | null {
  const ends = candidates.filter(({ steps }) => commonSteps(steps, wanted) === Math.min(steps.length, wanted.length));
  // Of `main.tf` and `modules/main.tf`, the path `main.tf` means the first, and `/src/modules/main.tf` the second.
  const longest = Math.max(0, ...ends.map(({ steps }) => Math.min(steps.length, wanted.length)));
  const best = ends.filter(({ steps }) => Math.min(steps.length, wanted.length) === longest);
  const exact = best.filter(({ steps }) => steps.length === longest);
  const [only, another] = exact.length > 0 ? exact : best;
  return only && !another ? only.file : null;
}

/** From the end, since paths differ where they begin. */
function stepsOf(path: string): string[] {
  return normalisePath(path)
    .split('/')
    .filter((step) => step !== '')
    .reverse();
}

function commonSteps(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((step, index) => step !== other[index]);
  return end < 0 ? one.length : end;
}
