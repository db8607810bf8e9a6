import { createScope } from '../../../iac/evaluate/scope.ts';
import type { RedRequest } from '../red-team.ts';
import { changeOf, withChange } from './code-change.ts';
import { flawOrder } from './flaw-order.ts';
import type { MutatedCode } from './mutated-code.ts';
import { planFlaws, triedKey } from './plan-flaws.ts';
import { unprovenFlaws } from './prove-flaws.ts';
import type { SecureTemplate } from './secure-template.ts';
import { createSeededChoice, type SeededChoice } from './site/seeded-choice.ts';
import { techniquesFor } from './technique-registry.ts';

/**
 * Plants `count` flaws in a template, or as many as fit, and proves them. A flaw that cannot be proven is replaced by
 * another one, and is not tried again.
 */
export async function mutateTemplate(
  secure: SecureTemplate,
  request: Pick<RedRequest, 'difficulty' | 'language' | 'strategy' | 'category'>,
  count: number,
  choice: SeededChoice,
): Promise<MutatedCode> {
  const { project, sites } = secure;
  const techniques = techniquesFor(request.language, request.difficulty);
  const groups = flawOrder(secure, request, choice);
  const choiceSeed = choice.between(0, 2 ** 31);
  const failed = new Set<string>();
  for (;;) {
    const { planted, edits, entries } = planFlaws({
      secure,
      groups,
      techniques,
      count,
      failed,
      // The same choices in every plan, so that a plan changes only where it has to.
      choiceFor: ({ key }) => createSeededChoice(choiceSeed, key),
    });
    const after = await withChange(project, changeOf(project, edits, entries));
    const mutated = { project: after, scope: createScope(after), planted };
    const unproven = unprovenFlaws(mutated, sites);
    if (unproven.length === 0) return mutated;
    for (const { site, technique } of unproven) failed.add(triedKey(site, technique));
  }
}
