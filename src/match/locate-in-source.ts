import { blockAt, codeBlocks } from '../iac/read/code-blocks.ts';
import { memoByKey } from '../text/memo.ts';
import type { Finding } from './claims/finding.ts';
import { normalisePath } from './importers/normalise-path.ts';

/**
 * Adds the address of the enclosing block to every finding that has a file and a line but no resource. `files` are the
 * scanned files by path. A finding's path may start in another folder, so the longest common end decides.
 */
export async function locateFindings(
  findings: readonly Finding[],
  files: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  if (!findings.some(needsResource)) return [...findings];
  const blocks = await codeBlocks(files);
  const byFile = Map.groupBy(blocks, ({ file }) => file);
  const fileOf = fileFinder(Object.keys(files));
  return findings.map((finding) => {
    const { file, line } = finding;
    if (!needsResource(finding) || !file || !line) return finding;
    const source = fileOf(file);
    const block = source === null ? null : blockAt(byFile.get(source) ?? [], source, line);
    return block ? { ...finding, resource: block.address } : finding;
  });
}

function needsResource({ resource, file, line }: Finding): boolean {
  const named = Array.isArray(resource) ? resource.some((one) => one !== '') : resource;
  return !named && typeof file === 'string' && typeof line === 'number';
}

/**
 * Finds the file that a path means. One of the two must be the end of the other, since `a/main.tf` is not `b/main.tf`.
 * Null when there is no such file, or when two fit equally well.
 */
function fileFinder(files: readonly string[]): (path: string) => string | null {
  const all = files.map((file) => ({ file, steps: reversedSteps(file) }));
  const byName = Map.groupBy(all, ({ steps }) => steps[0] ?? '');
  return memoByKey((path) => {
    const steps = reversedSteps(path);
    return bestFile(byName.get(steps[0] ?? '') ?? [], steps);
  });
}

function bestFile(candidates: readonly { file: string; steps: string[] }[], wanted: readonly string[]): string | null {
  const ends = candidates.filter(({ steps }) => commonSteps(steps, wanted) === Math.min(steps.length, wanted.length));
  // Of `main.tf` and `modules/main.tf`, the path `main.tf` means the first, and `/src/modules/main.tf` the second.
  const longest = Math.max(0, ...ends.map(({ steps }) => Math.min(steps.length, wanted.length)));
  const best = ends.filter(({ steps }) => Math.min(steps.length, wanted.length) === longest);
  const exact = best.filter(({ steps }) => steps.length === longest);
  const [only, another] = exact.length > 0 ? exact : best;
  return only && !another ? only.file : null;
}

/** The last step first, since paths differ at their beginning. */
function reversedSteps(path: string): string[] {
  return normalisePath(path)
    .split('/')
    .filter((step) => step !== '')
    .reverse();
}

function commonSteps(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((step, index) => step !== other[index]);
  return end < 0 ? one.length : end;
}
