import { createScope } from '../../iac/evaluate/scope.ts';
import type { RedRequest } from '../red-team.ts';
import { changeOf, withChange } from './code-change.ts';
import { type CodePlan, triedKey } from './code-plan.ts';
import { flawOrder } from './flaw-order.ts';
import { withHouseStyle } from './house-style.ts';
import type { MutatedCode } from './mutated-code.ts';
import { planFlaws } from './plan-flaws.ts';
import { guiltyInnocents, unprovenFlaws } from './prove-flaws.ts';
import type { SecureTemplate } from './secure-template.ts';
import { createSeededChoice, type SeededChoice } from './site/seeded-choice.ts';
import { evenTurns, spreadOverResources } from './spread-flaws.ts';
import { techniquesFor } from './technique-registry.ts';
import type { CodeForm } from './techniques/technique.ts';
import { withoutUnused } from './unused-declarations.ts';

/**
 * Plants `count` flaws in a template, or as many as fit, and proves them. A flaw that cannot be proven is replaced by
 * another one, and is not tried again. The same holds for an innocent construct that changes what the code means.
 */
export async function mutateTemplate(
  secure: SecureTemplate,
  request: Pick<RedRequest, 'difficulty' | 'language' | 'strategy' | 'category' | 'seed'> & { houseStyle: boolean },
  count: number,
  choice: SeededChoice,
): Promise<MutatedCode> {
  const { sites } = secure;
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
    const guilty = guiltyInnocents(twin, plan, sites);
    for (const key of guilty) failed.add(key);
    if (guilty.length > 0) continue;
    const project = await withoutUnused(await written(secure, plan, choiceSeed, 'weak'), safe, secure.project);
    const mutated = { project, scope: createScope(project), planted: plan.planted, twin };
    const unproven = unprovenFlaws(mutated, sites);
    if (unproven.length === 0) return mutated;
    for (const { site, technique } of unproven) failed.add(triedKey(site.key, technique));
  }
}

/** The code of a plan, with weak or safe values at the flaws. The order of the edits says nothing about them. */
function written({ project }: SecureTemplate, { planted, innocent }: CodePlan, seed: number, form: 'safe' | 'weak') {
  const forms: CodeForm[] = [
    ...planted.map(({ hidden }) => hidden[form]),
    ...innocent.map(({ hidden }) => hidden.safe),
  ];
  const choice = createSeededChoice(seed, 'order');
  const shuffled = choice.shuffled(forms);
  const edits = shuffled.flatMap((one) => one.edits);
  const entries = shuffled.flatMap((one) => one.entries ?? []);
  return withChange(project, changeOf(project, edits, entries, choice));
}
