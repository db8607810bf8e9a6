import { createScope } from '../../iac/evaluate/scope.ts';
import type { CodePlace } from '../../iac/read/code-node.ts';
import { scopeOfNames } from '../../iac/read/references.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import type { MutationTarget } from '../operators/operator.ts';
import { type CodePlan, triedKey } from './code-plan.ts';
import type { MutatedCode, PlantedFlaw } from './mutated-code.ts';
import { areRelated, type InjectionSite } from './site/injection-site.ts';

/**
 * The flaws that are not proven. All are proven when each is in the code, the code parses, and no other flaw came with
 * them. None was there before: an injection site is secure by definition.
 */
export function unprovenFlaws(
  { project, scope, planted }: Omit<MutatedCode, 'twin'>,
  sites: readonly InjectionSite[],
): PlantedFlaw[] {
  if (!isWellFormed(project)) return planted.slice(-1);
  const missing = planted.filter(
    ({ site: { operator }, target }) =>
      !operator.isPresent(scope, target) || !isInTarget(project, target, operator.locate(scope, target)),
  );
  if (missing.length > 0) return missing;
  const expected = new Set(planted.flatMap(({ site, target }) => (target === site.target ? [site.key] : [])));
  const implied = new Set(
    planted.flatMap(({ site, target }) => site.operator.implies.map((id) => `${id} ${target.address}`)),
  );
  const extra = sites.filter(
    ({ key, operator, target }) =>
      !expected.has(key) && !implied.has(`${operator.id} ${target.address}`) && operator.isPresent(scope, target),
  );
  if (extra.length === 0) return [];
  const guilty = planted.filter(({ target }) => extra.some((other) => areRelated(target, other.target)));
  return guilty.length > 0 ? guilty : planted.slice(-1);
}

/** The keys of what gave the twin a flaw, or broke it: innocent constructs, and flaws in their safe form. */
export function guiltyInnocents(
  twin: CodeProject,
  { innocent, planted }: Pick<CodePlan, 'innocent' | 'planted'>,
  sites: readonly InjectionSite[],
): string[] {
  const written = [
    ...planted.map(({ site, technique }) => ({ key: triedKey(site.key, technique), address: site.target.address })),
    ...innocent,
  ];
  const last = written.slice(-1).map(({ key }) => key);
  if (!isWellFormed(twin)) return last;
  const scope = createScope(twin);
  const present = sites.filter(({ operator, target }) => operator.isPresent(scope, target));
  if (present.length === 0) return [];
  const near = present.flatMap(({ target }) => [target.address, ...target.related]);
  const guilty = written.filter(({ address }) => near.includes(address)).map(({ key }) => key);
  return guilty.length > 0 ? guilty : last;
}

/** Whether all files can be read, no address is declared twice, and everything that is overridden exists. */
export function isWellFormed({ files }: CodeProject): boolean {
  if (!files.every(({ problems, blocks }) => problems.length === 0 && blocks.every(hasUniqueNames))) return false;
  const addressesOf = (some: readonly SourceFile[]) =>
    some.flatMap((source) => source.blocks.flatMap((block) => addressesIn(scopeOfNames(source), block)));
  const addresses = addressesOf(files.filter((source) => !isOverride(source)));
  const known = new Set(addresses);
  const overridden = addressesOf(files.filter(isOverride));
  return known.size === addresses.length && overridden.every((address) => known.has(address));
}

function isOverride({ file }: SourceFile): boolean {
  return file.endsWith('_override.tf');
}

/** A manifest may only point at the resource itself, or at one that may be named for the same flaw. */
function isInTarget({ files }: CodeProject, target: MutationTarget, place: CodePlace | null): boolean {
  const addresses = [target.address, ...target.related];
  const blocks = files.find(({ file }) => file === place?.file)?.blocks ?? [];
  return blocks.some(
    ({ address, line, end_line }) =>
      place !== null && addresses.includes(address) && line <= place.line && place.end_line <= end_line,
  );
}

/** False when two flaws put the same attribute into one block. */
function hasUniqueNames({ attributes, blocks }: Block): boolean {
  const names = new Set(attributes.map(({ name }) => name));
  return names.size === attributes.length && blocks.every(hasUniqueNames);
}

/** `folder` is where names are unique. */
function addressesIn(folder: string, { type, address, attributes }: Block): string[] {
  if (type === 'locals') return attributes.map(({ name }) => `${folder}local.${name}`);
  return address === '' || type === 'terraform' || type === 'provider' ? [] : [`${folder}${address}`];
}
