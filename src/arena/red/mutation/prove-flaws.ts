import type { CodePlace } from '../../../iac/read/code-node.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { MutationTarget } from '../operators/operator.ts';
import type { Opening } from './injection-site.ts';
import type { Mutated, Planted } from './mutated-code.ts';

/**
 * The flaws that are not what they should be; empty when all are proven: each is there, the code parses, and nothing
 * else came with them. That none was there before is what makes an opening one.
 */
export function unprovenFlaws({ project, scope, planted }: Mutated, openings: readonly Opening[]): Planted[] {
  const isWhole = project.files.every(({ problems, blocks }) => problems.length === 0 && blocks.every(hasNoTwins));
  const addressesOf = (files: readonly SourceFile[]) =>
    files.flatMap(({ file, blocks }) => blocks.flatMap((block) => addressesIn(file, block)));
  const addresses = addressesOf(project.files.filter((source) => !isOverride(source)));
  const known = new Set(addresses);
  const overridden = addressesOf(project.files.filter(isOverride));
  if (!isWhole || known.size < addresses.length || overridden.some((address) => !known.has(address))) {
    return planted.slice(-1);
  }
  const missing = planted.filter(
    ({ opening: { operator }, target }) =>
      !operator.isPresent(scope, target) || !isIn(project, target, operator.locate(scope, target)),
  );
  if (missing.length > 0) return missing;
  const expected = new Set(planted.flatMap(({ opening, target }) => (target === opening.target ? [opening.key] : [])));
  const implied = new Set(
    planted.flatMap(({ opening, target }) => opening.operator.implies.map((id) => `${id} ${target.address}`)),
  );
  const extra = openings.filter(
    ({ key, operator, target }) =>
      !expected.has(key) && !implied.has(`${operator.id} ${target.address}`) && operator.isPresent(scope, target),
  );
  if (extra.length === 0) return [];
  const guilty = planted.filter(({ target }) => extra.some((other) => isNear(target, other.target)));
  return guilty.length > 0 ? guilty : planted.slice(-1);
}

function isOverride({ file }: SourceFile): boolean {
  return file.endsWith('_override.tf');
}

/** A manifest must not point anywhere else than at the resource, or at what one may name in its place. */
function isIn({ files }: CodeProject, target: MutationTarget, place: CodePlace | null): boolean {
  const addresses = [target.address, ...target.related];
  const blocks = files.find(({ file }) => file === place?.file)?.blocks ?? [];
  return blocks.some(
    ({ address, line, end_line }) =>
      place !== null && addresses.includes(address) && line <= place.line && place.end_line <= end_line,
  );
}

function isNear(a: MutationTarget, b: MutationTarget): boolean {
  const near = [a.address, ...a.related];
  return [b.address, ...b.related].some((address) => near.includes(address));
}

/** The same attribute twice in one block, which two flaws may have led to. */
function hasNoTwins({ attributes, blocks }: Block): boolean {
  const names = new Set(attributes.map(({ name }) => name));
  return names.size === attributes.length && blocks.every(hasNoTwins);
}

function addressesIn(file: string, { type, address, attributes }: Block): string[] {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  if (type === 'locals') return attributes.map(({ name }) => `${folder}local.${name}`);
  return address === '' || type === 'terraform' || type === 'provider' ? [] : [`${folder}${address}`];
}
