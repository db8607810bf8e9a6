import { isDeepStrictEqual } from 'node:util';
import { once, remembered } from 'salvo/kit/text';
import type { Check } from '../blue/rules/check.ts';
import { allRules } from '../blue/rules/rules.ts';
import { runRules } from '../blue/rules/run-rules.ts';
import type { BlockView } from '../iac/evaluate/block-view.ts';
import { createScope, type Scope } from '../iac/evaluate/scope.ts';
import { isAttributePath, plainPath, readPath } from '../iac/read/attribute-path.ts';
import { codeReader } from '../iac/read/code-reader.ts';
import { referencesIn } from '../iac/read/references.ts';
import type { CodeLanguage } from '../iac/syntax/code-block.ts';
import { parseCode } from '../iac/syntax/parse-code.ts';
import type { Block } from '../iac/syntax/source-file.ts';
import type { Finding } from '../match/claims/finding.ts';
import { anySameAddress, parseAddress } from '../match/claims/resource-address.ts';
import type { UnresolvedValue } from '../match/results/unresolved.ts';
import type { Weakness } from '../match/weaknesses/weakness.ts';
import { allWeaknesses, weaknessById, weaknessesOfRule } from '../match/weaknesses/weaknesses.ts';

/**
 * For each finding on clean code: the value that a tool without evaluation cannot know, if the finding is about one.
 * Null where it is not known which attribute a finding is about, where a reader who looks at one file at a time knows
 * the value (the reach `plain`), and where the embedded rules do not say that the evaluated code is safe.
 */
export async function unresolvedValues(
  files: Readonly<Record<string, string>>,
  findings: readonly Finding[],
): Promise<(UnresolvedValue | null)[]> {
  if (findings.length === 0) return [];
  const project = await parseCode(files);
  const [plain, full] = [createScope(project, { reach: 'plain' }), createScope(project)];
  const language = project.files[0]?.language ?? 'terraform';
  const blocks = project.files.flatMap((source) =>
    source.blocks.filter(({ type }) => /^(?:resource|data)$/.test(type)),
  );
  const near = once(() => neighbours(referencesIn(project.files)));
  const flawed = once(() => runRules(project, { reach: 'full' }));
  const differences = new Map<string, boolean>();
  const differs = (block: Block, path: string) =>
    remembered(differences, `${blocks.indexOf(block)} ${path}`, () => isUnresolved(plain, full, block, path));

  return findings.map((finding): UnresolvedValue | null => {
    const resources = [finding.resource ?? []].flat().map(parseAddress);
    const named = blocks.filter((block) => anySameAddress(resources, [parseAddress(block.address)]));
    const weaknesses = weaknessesOf(finding, language, named);
    if (named.length === 0 || weaknesses.length === 0) return null;
    const ids = new Set(weaknesses.map(({ id }) => id));
    if (!allRules().some((rule) => ids.has(rule.weakness) && rule[language].length > 0)) return null;
    for (const { block, path } of decisiveAttributes({ finding, named, near: near(), weaknesses, language })) {
      if (!differs(block, path)) continue;
      const places = [...named, block].map(({ address }) => parseAddress(address));
      const isFlawed = flawed().some(
        (one) =>
          [one.rule_ids ?? []].flat().some((id) => ids.has(id)) &&
          anySameAddress([one.resource ?? []].flat().map(parseAddress), places),
      );
      return isFlawed ? null : { resource: block.address, attribute: plainPath(path) };
    }
    return null;
  });
}

/** The weaknesses that the finding's rule reports; without a known rule, those of the attribute that it names. */
function weaknessesOf(finding: Finding, language: CodeLanguage, named: readonly Block[]): Weakness[] {
  const { rule_id, rule_ids } = finding;
  const known = [...new Set([rule_id ?? [], rule_ids ?? []].flat().flatMap(weaknessesOfRule))];
  const ofRule = known.flatMap((id) => weaknessById(id) ?? []).filter((weakness) => weakness[language]);
  if (ofRule.length > 0) return ofRule;
  const attributes = namedAttributes(finding);
  if (attributes.length === 0) return [];
  const types = new Set(named.map(typeOf));
  return allWeaknesses().filter((weakness) => {
    const place = weakness[language];
    return place?.types.some((type) => types.has(type)) && place.attributes.some((one) => attributes.includes(one));
  });
}

function namedAttributes({ attribute }: Finding): string[] {
  return [attribute ?? []].flat().filter((path) => path !== '' && isAttributePath(path));
}

/** A data source is `data.aws_iam_policy_document`, as in the catalogue. */
function typeOf({ type, labels }: Block): string {
  return `${type === 'data' ? 'data.' : ''}${labels[0] ?? ''}`;
}

/**
 * The attributes that a finding is about: those that it names, otherwise those that its weaknesses are about, by the
 * catalogue and by the embedded rules.
 */
function decisiveAttributes(about: {
  finding: Finding;
  named: readonly Block[];
  near: ReadonlyMap<Block, ReadonlySet<Block>>;
  weaknesses: readonly Weakness[];
  language: CodeLanguage;
}): { block: Block; path: string }[] {
  const { finding, named, near, weaknesses, language } = about;
  const own = namedAttributes(finding);
  const ownPaths = named.flatMap((block) => own.map((path) => ({ block, path })));
  if (ownPaths.length > 0) return ownPaths;
  // The settings of a bucket are resources of their own, and so is the document of a policy.
  const blocks = new Set([...named, ...named.flatMap((block) => [...(near.get(block) ?? [])])]);
  return weaknesses.flatMap((weakness) => {
    const places = attributesOf(weakness, language);
    return [...blocks].flatMap((block) => {
      const paths = places.filter(({ types }) => types.includes(typeOf(block))).map(({ path }) => path);
      if (paths.length === 0) return [];
      return [...new Set([...paths, ...(named.includes(block) ? [] : EXISTENCE)])].map((path) => ({ block, path }));
    });
  });
}

interface AttributePlace {
  types: readonly string[];
  path: string;
}

function attributesOf(weakness: Weakness, language: CodeLanguage): AttributePlace[] {
  const { types = [], attributes = [] } = weakness[language] ?? {};
  const looks = allRules().flatMap((rule) => (rule.weakness === weakness.id ? rule[language] : []));
  return [
    ...attributes.filter(isAttributePath).map((path) => ({ types, path })),
    ...looks.flatMap((look) => checkedAttributes(look.check, look.types)),
  ];
}

/** The attributes that a check reads, with the types of the resources that have them. */
function checkedAttributes(check: Check, types: readonly string[]): AttributePlace[] {
  const all = (checks: readonly Check[]) => checks.flatMap((one) => checkedAttributes(one, types));
  if ('any' in check) return all(check.any);
  if ('all' in check) return all(check.all);
  if ('if' in check) return all([check.if, check.must]);
  if ('at' in check) return check.at === undefined ? [] : [{ types, path: check.at }];
  if ('companion' in check) return check.passes ? checkedAttributes(check.passes, check.companion) : [];
  if ('exists' in check) return check.passes ? checkedAttributes(check.passes, check.exists) : [];
  return 'refers_to' in check ? checkedAttributes(check.passes, check.refers_to) : [];
}

/** What decides whether a resource exists. */
const EXISTENCE = ['count', 'for_each', 'Condition'];

/** Both directions of all references. */
function neighbours(references: ReadonlyMap<Block, ReadonlySet<Block>>): Map<Block, Set<Block>> {
  const near = new Map<Block, Set<Block>>();
  for (const [block, targets] of references) {
    for (const target of targets) {
      remembered(near, block, () => new Set()).add(target);
      remembered(near, target, () => new Set()).add(block);
    }
  }
  return near;
}

/** Whether the plain reach reads something else at this path than the full one, which is what the code means. */
function isUnresolved(plain: Scope, full: Scope, block: Block, path: string): boolean {
  const [before, after] = [plain, full].map((scope) => scope.instances(block));
  if (!before || !after) return false;
  if (EXISTENCE.includes(path)) {
    const isWritten = [...block.attributes, ...block.settings].some(({ name }) => name === path);
    return isWritten && before.some(({ certain }) => !certain) && after.every(({ certain }) => certain);
  }
  return !isDeepStrictEqual(valuesAt(plain, before, path), valuesAt(full, after, path));
}

/** The different values at a path in the instances of a block. */
function valuesAt(scope: Scope, views: readonly BlockView[], path: string): string[] {
  const readings = views.flatMap((view) => readPath(codeReader(scope).instance(view), path));
  return [
    ...new Set(
      readings.map(({ state, node }) => (state === 'known' || state === 'unknown' ? JSON.stringify(node.json) : state)),
    ),
  ].sort();
}
