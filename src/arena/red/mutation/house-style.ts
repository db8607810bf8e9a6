import { type CodePlan, fittingForm, type PlanningOptions, triedKey, withHidden } from './code-plan.ts';
import type { SecureTemplate } from './secure-template.ts';
import type { InjectionSite } from './site/injection-site.ts';
import { createSeededChoice, type SeededChoice } from './site/seeded-choice.ts';
import type { HidingPlace } from './techniques/technique.ts';

/** How many places of a resource are tried until one fits. */
const MOST_TRIED = 6;

/**
 * Writes the rest of the code in the same style as the flaws: every resource that a flaw could be in gets a construct of
 * the game's techniques, at a place that is drawn like that of a flaw, with its safe value. So neither a construct nor
 * the setting that it is for says where the flaws are.
 */
export function withHouseStyle(options: PlanningOptions, plan: CodePlan, seed: number): CodePlan {
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
  const { secure, techniques, failed } = options;
  for (const site of placesOf(options, address, choice)) {
    const place = { ...sitePlace(secure, site), written: plan.written, choice };
    for (const technique of choice.shuffled(techniques, ({ weight = 1 }) => weight)) {
      const key = triedKey(site.key, technique.id);
      if (failed.has(key)) continue;
      const hidden = fittingForm(technique, place, plan);
      if (!hidden) continue;
      return { ...withHidden(plan, hidden), innocent: [...plan.innocent, { key, address, hidden }] };
    }
  }
  return plan;
}

/** In the order in which flaws are planted. */
function placesOf({ secure, groups }: PlanningOptions, address: string, choice: SeededChoice): InjectionSite[] {
  const wanted = groups.flatMap((group) => group.filter(({ target }) => target.address === address));
  return (wanted.length > 0 ? wanted : choice.shuffled(secure.sitesOf(address))).slice(0, MOST_TRIED);
}

/** A place where an operator could plant a flaw. */
export function sitePlace(secure: SecureTemplate, site: InjectionSite): Omit<HidingPlace, 'written' | 'choice'> {
  const { operator, target, weakness } = site;
  const guard = () => operator.guard(secure.project, target);
  return { project: secure.project, operator, target, category: weakness.category, guard, ...secure.editsFor(site) };
}
