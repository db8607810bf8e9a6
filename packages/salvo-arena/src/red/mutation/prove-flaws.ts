import { runRules } from '../../blue/rules/run-rules.ts';
import { createScope } from '../../iac/evaluate/scope.ts';
import type { CodePlace } from '../../iac/read/code-node.ts';
import { scopeOfNames } from '../../iac/read/references.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import type { MutationTarget } from '../operators/operator.ts';
import { type CodePlan, triedKey } from './code-plan.ts';
import type { MutatedCode, PlantedFlaw } from './mutated-code.ts';
import { findingKey, withoutModules } from './own/finding-key.ts';
import type { SecureTemplate } from './secure-template.ts';
import { areRelated } from './site/injection-site.ts';
import type { CodeForm } from './techniques/technique.ts';

/**
 * The flaws that are not proven. All are proven when each is in the code, the code parses, and no other flaw came with
 * them. None was there before: an injection site is secure by definition.
 */
export function unprovenFlaws(
  { project: secure, sites }: Pick<SecureTemplate, 'project' | 'sites'>,
  { project, scope, planted }: Omit<MutatedCode, 'twin' | 'traps'>,
): PlantedFlaw[] {
  const broken = brokenFiles(project, secure);
  if (broken.length > 0) return atFault(planted, ({ hidden }) => hidden.weak, broken);
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
  { project: secure, sites, reported }: Pick<SecureTemplate, 'project' | 'sites' | 'reported'>,
  twin: CodeProject,
  { innocent, planted }: Pick<CodePlan, 'innocent' | 'planted'>,
): string[] {
  const written = [
    ...planted.map(({ site, technique, hidden }) => ({
      ...{ key: triedKey(site.key, technique), address: site.target.address, hidden },
    })),
    ...innocent,
  ];
  const last = written.slice(-1).map(({ key }) => key);
  const broken = brokenFiles(twin, secure);
  if (broken.length > 0) return atFault(written, ({ hidden }) => hidden.safe, broken).map(({ key }) => key);
  const scope = createScope(twin);
  const present = sites.filter(({ operator, target }) =>
    reported && operator.isAbsent ? !operator.isAbsent(scope, target) : operator.isPresent(scope, target),
  );
  const found = reported ? runRules(twin, { reach: 'full' }).filter((one) => !reported.has(findingKey(one))) : [];
  if (present.length === 0 && found.length === 0) return [];
  const near = [
    ...present.flatMap(({ target }) => [target.address, ...target.related]),
    ...found.flatMap(({ resource }) => [resource ?? []].flat().map(withoutModules)),
  ];
  const guilty = written.filter(({ address }) => near.includes(address)).map(({ key }) => key);
  return guilty.length > 0 ? guilty : last;
}

/**
 * The files that an edit broke: one cannot be read, or has a name twice that was there once. What the original code has
 * wrong is not counted. A name that is declared in several files, or overridden nowhere, is a fault of all changed files.
 */
export function brokenFiles(project: CodeProject, secure: CodeProject): string[] {
  const before = new Set(secure.files);
  const changed = project.files.filter((source) => !before.has(source));
  const broken = changed.filter(
    ({ problems, blocks }) => problems.length > 0 || !blocks.every((block) => hasUniqueNames(block)),
  );
  if (broken.length > 0) return broken.map(({ file }) => file);
  return countConflicts(project) > countConflicts(secure) ? changed.map(({ file }) => file) : [];
}

/** The last of those that edit a broken file. */
function atFault<T>(all: readonly T[], formOf: (one: T) => CodeForm, broken: readonly string[]): T[] {
  const edits = (one: T) => {
    const { edits, entries = [] } = formOf(one);
    return [...edits, ...entries].some(({ file }) => broken.includes(file));
  };
  const guilty = all.findLast(edits) ?? all.at(-1);
  return guilty === undefined ? [] : [guilty];
}

/** How many addresses are declared twice, or overridden without being declared. */
function countConflicts({ files }: CodeProject): number {
  const addressesOf = (some: readonly SourceFile[]) =>
    some.flatMap((source) => source.blocks.flatMap((block) => addressesIn(source, block)));
  const addresses = addressesOf(files.filter((source) => !isOverride(source)));
  const known = new Set(addresses);
  const overridden = addressesOf(files.filter(isOverride));
  return addresses.length - known.size + overridden.filter((address) => !known.has(address)).length;
}

function isOverride({ file }: SourceFile): boolean {
  return /(?:^|[_/])override\.tf(?:\.json)?$/.test(file);
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

function addressesIn(source: SourceFile, { type, address, attributes }: Block): string[] {
  const folder = scopeOfNames(source);
  if (type === 'locals') return attributes.map(({ name }) => `${folder}local.${name}`);
  return address === '' || type === 'terraform' || type === 'provider' ? [] : [`${folder}${address}`];
}
