import { applyEdits } from '../../iac/edit/edits.ts';
import { removeAttribute, removeBlock } from '../../iac/edit/remove-code.ts';
import { createScope } from '../../iac/evaluate/scope.ts';
import { calledFolders } from '../../iac/evaluate/terraform-module.ts';
import { countReferences, scopeOfNames } from '../../iac/read/references.ts';
import type { TextRange } from '../../iac/syntax/expression.ts';
import { type CodeProject, isInFocus } from '../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../iac/syntax/source-file.ts';
import { createSeededChoice, type SeededChoice } from '../../templates/seeded-choice.ts';
import { withDrawnSecret } from '../operators/planted-secret.ts';
import type { RedRequest } from '../red-team.ts';
import { relateTemplate } from '../relations/relate-template.ts';
import { chooseForm } from './choose-form.ts';
import { changeOf, withChange } from './code-change.ts';
import { type CodePlan, type PlanningOptions, triedKey, withHidden } from './code-plan.ts';
import { flawOrder } from './flaw-order.ts';
import type { MutatedCode, PlantedFlaw } from './mutated-code.ts';
import { planFlaws } from './plan-flaws.ts';
import { guiltyInnocents, unprovenFlaws } from './prove-flaws.ts';
import { type SecureTemplate, withoutHousekeeping } from './secure-template.ts';
import type { InjectionSite } from './site/injection-site.ts';
import { evenTurns, spreadOverResources } from './spread-flaws.ts';
import { techniquesFor } from './technique-registry.ts';
import type { CodeForm } from './techniques/technique.ts';

/**
 * Plants `count` flaws in a template, or as many as fit, and proves them. A flaw that cannot be proven is replaced by
 * another one, and is not tried again. The same holds for an innocent construct that changes what the code means.
 */
export async function mutateTemplate(
  template: SecureTemplate,
  request: Pick<RedRequest, 'difficulty' | 'language' | 'strategy' | 'category' | 'seed' | 'housekeeping'> & {
    houseStyle: boolean;
  },
  count: number,
  choice: SeededChoice,
): Promise<MutatedCode> {
  if (request.difficulty === 'hard') return await withRelations(template, request, count, choice);
  const secure = request.housekeeping ? template : withoutHousekeeping(template);
  const techniques = techniquesFor(request.language, request.difficulty);
  const ordered = flawOrder(secure, request, choice);
  // The other strategies choose certain flaws on purpose.
  const isSpread = request.strategy !== 'chained' && request.strategy !== 'stealth';
  const groups = isSpread
    ? spreadOverResources(ordered.flat(), choice, evenTurns(request.seed, request.difficulty))
    : ordered;
  const choiceSeed = choice.between(0, 2 ** 31);
  const failed = new Set<string>();
  for (;;) {
    const options = {
      secure,
      groups,
      techniques,
      count,
      failed,
      isSpread,
      // The same choices in every plan, so that a plan changes only where it has to.
      choiceFor: ({ key }: { key: string }) => createSeededChoice(choiceSeed, key),
    };
    const flaws = planFlaws(options);
    const plan = request.houseStyle ? withHouseStyle(options, flaws, choiceSeed) : flaws;
    const safe = await written(secure, plan, choiceSeed, 'safe');
    const twin = await withoutUnused(safe, secure.project);
    const guilty = guiltyInnocents(template, twin, plan);
    for (const key of guilty) failed.add(key);
    if (guilty.length > 0) continue;
    const project = await withoutUnused(await written(secure, plan, choiceSeed, 'weak'), safe, secure.project);
    const mutated = { project, scope: createScope(project), planted: plan.planted, twin, traps: trapsIn(plan) };
    // What is proven is proven against all sites.
    const unproven = unprovenFlaws(template, mutated);
    if (unproven.length === 0) return mutated;
    for (const { site, technique } of unproven) failed.add(triedKey(site.key, technique));
  }
}

/** With a credential that is drawn, so that no two games have the same. */
function withSecret(form: CodeForm, { site: { operator, key, target } }: PlantedFlaw, seed: number): CodeForm {
  const { secret } = operator;
  if (!secret) return form;
  const drawn = (text: string) =>
    withDrawnSecret(text, secret, { draw: createSeededChoice(seed, 'secret', key), address: target.address });
  return {
    ...form,
    edits: form.edits.map(({ file, edits }) => ({
      file,
      edits: edits.map((edit) => ({ ...edit, text: drawn(edit.text) })),
    })),
    ...(form.entries && { entries: form.entries.map((entry) => ({ ...entry, code: drawn(entry.code) })) }),
  };
}

/** What stays as it was written looks like nothing. */
function trapsIn({ innocent }: CodePlan): MutatedCode['traps'] {
  return innocent
    .filter(({ hidden: { safe } }) => safe.edits.length + (safe.entries?.length ?? 0) > 0)
    .map(({ address, weakness }) => ({ resource: address, weakness }));
}

/** Code in the style of a medium game, all of whose values are safe, with flaws that only relations show. */
async function withRelations(
  secure: SecureTemplate,
  request: Parameters<typeof mutateTemplate>[1],
  count: number,
  choice: SeededChoice,
): Promise<MutatedCode> {
  const style = { ...request, difficulty: 'medium', strategy: 'balanced' } as const;
  const base = request.houseStyle ? (await mutateTemplate(secure, style, 0, choice)).twin : secure.project;
  return await relateTemplate(base, request, count, choice);
}

/** The code of a plan, with weak or safe values at the flaws. The order of the edits says nothing about them. */
function written({ project }: SecureTemplate, { planted, innocent }: CodePlan, seed: number, form: 'safe' | 'weak') {
  const forms: CodeForm[] = [
    ...planted.map((flaw) => withSecret(flaw.hidden[form], flaw, seed)),
    ...innocent.map(({ hidden }) => hidden.safe),
  ];
  const choice = createSeededChoice(seed, 'order');
  const shuffled = choice.shuffled(forms);
  const edits = shuffled.flatMap((one) => one.edits);
  const entries = shuffled.flatMap((one) => one.entries ?? []);
  return withChange(project, changeOf(project, edits, entries, choice));
}

/**
 * Writes the rest of the code in the same style as the flaws: every resource that a flaw could be in gets a construct of
 * the game's techniques, or in an easy game a value in the shape of a flaw, at a place that is drawn like that of a
 * flaw, with its safe value. So neither a construct nor the setting that it is for says where the flaws are.
 */
function withHouseStyle(options: PlanningOptions, plan: CodePlan, seed: number): CodePlan {
  const { secure } = options;
  let next = plan;
  const choice = createSeededChoice(seed, 'house style');
  for (const { address } of choice.shuffled(secure.resources)) {
    const isFlawed = plan.planted.some(({ site, target }) => [site.target.address, target.address].includes(address));
    if (!isFlawed) next = withInnocent(options, next, address, createSeededChoice(seed, address));
  }
  return next;
}

function withInnocent(options: PlanningOptions, plan: CodePlan, address: string, choice: SeededChoice): CodePlan {
  const chosen = chooseForm(options, plan, placesOf(options, address, choice));
  if (!chosen) return plan;
  const { site, technique, hidden } = chosen;
  const innocent = { key: triedKey(site.key, technique), address, weakness: site.weakness.id, hidden };
  return { ...withHidden(plan, hidden), innocent: [...plan.innocent, innocent] };
}

/** In the order in which flaws are planted. */
function placesOf({ secure, groups }: PlanningOptions, address: string, choice: SeededChoice): InjectionSite[] {
  const wanted = groups.flatMap((group) => group.filter(({ target }) => target.address === address));
  return wanted.length > 0 ? wanted : choice.shuffled(secure.sitesOf(address));
}

/**
 * Removes what only other versions of the code use: the variable of an address range that was replaced by a constant,
 * the data source of a condition that was removed. A declaration without any use would point at that place.
 */
async function withoutUnused(project: CodeProject, ...others: readonly CodeProject[]): Promise<CodeProject> {
  const called = calledFolders(project);
  const changed = project.files.flatMap((source): [string, string][] => {
    // What a module declares is named by those who call it.
    if (called.has(scopeOfNames(source)) || !isInFocus(project, source.file)) return [];
    const unused = declarationsIn(source).filter(
      ({ name }) =>
        mentionsOf(project, source, name) === 0 && others.some((other) => mentionsOf(other, source, name) > 0),
    );
    if (unused.length === 0) return [];
    const edits = unused.flatMap(({ code, isBlock }) =>
      isBlock ? removeBlock(source, code) : removeAttribute(source, code),
    );
    return [[source.file, applyEdits(source.text, edits)]];
  });
  // A declaration may be used only by one that was removed.
  if (changed.length === 0) return project;
  return withoutUnused(await withChange(project, Object.fromEntries(changed)), ...others);
}

interface Declaration {
  /** As the code refers to it. */
  name: string;
  code: { range: TextRange };
  /** Blocks of Terraform have an empty line between them. */
  isBlock: boolean;
}

function declarationsIn({ language, blocks }: SourceFile): Declaration[] {
  return blocks.flatMap((block): Declaration[] => {
    const attributes = (prefix: string) =>
      block.attributes.map((code) => ({ name: `${prefix}${code.name}`, code, isBlock: false }));
    if (block.type === 'locals') return attributes('local.');
    if (block.type === 'mappings' || block.type === 'conditions') return attributes('');
    if (block.type !== 'variable' && block.type !== 'data') return [];
    const isTerraform = language === 'terraform';
    return [{ name: isTerraform ? block.address : ownName(block), code: block, isBlock: isTerraform }];
  });
}

function ownName({ labels }: Block): string {
  return labels.at(-1) ?? '';
}

function mentionsOf(project: CodeProject, source: SourceFile, name: string): number {
  // A template names everything where it declares it; `countReferences` leaves that out for the addresses of resources.
  return countReferences(project, source.language === 'terraform' ? name : `::.${name}`, source);
}
