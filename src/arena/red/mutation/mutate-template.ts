import { createScope } from '../../../iac/evaluate/scope.ts';
import type { RedRequest } from '../red-team.ts';
import { changeOf, withChange } from './code-change.ts';
import { flawOrder } from './flaw-order.ts';
import type { Mutated } from './mutated-code.ts';
import { planFlaws, triedKey } from './plan-flaws.ts';
import { unprovenFlaws } from './prove-flaws.ts';
import type { SecureTemplate } from './secure-template.ts';
import { createDraw, type Draw } from './seeded-choice.ts';
import { techniquesFor } from './techniques/techniques.ts';

/**
 * Plants `count` flaws in a template, or as many as fit, and proves them. What does not prove itself is not tried
 * again, and something else is planted instead.
 */
export async function mutateTemplate(
  secure: SecureTemplate,
  request: Pick<RedRequest, 'difficulty' | 'language' | 'strategy' | 'category'>,
  count: number,
  draw: Draw,
): Promise<Mutated> {
  const { project, openings } = secure;
  const techniques = techniquesFor(request.language, request.difficulty);
  const groups = flawOrder(secure, request, draw);
  const luck = draw.between(0, 2 ** 31);
  const failed = new Set<string>();
  for (;;) {
    const { planted, edits, entries } = planFlaws({
      secure,
      groups,
      techniques,
      count,
      failed,
      // The same for every plan, so that a plan changes only where it has to.
      drawFor: ({ key }) => createDraw(luck, key),
    });
    const after = await withChange(project, changeOf(project, edits, entries));
    const mutated = { project: after, scope: createScope(after), planted };
    const unproven = unprovenFlaws(mutated, openings);
    if (unproven.length === 0) return mutated;
    for (const { opening, technique } of unproven) failed.add(triedKey(opening, technique));
  }
}
