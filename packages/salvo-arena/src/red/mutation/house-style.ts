import { chooseForm } from './choose-form.ts';
import { type CodePlan, type PlanningOptions, triedKey, withHidden } from './code-plan.ts';
import type { InjectionSite } from './site/injection-site.ts';
import { createSeededChoice, type SeededChoice } from './site/seeded-choice.ts';

/**
 * Writes the rest of the code in the same style as the flaws: every resource that a flaw could be in gets a construct of
 * the game's techniques, or in an easy game a value in the shape of a flaw, at a place that is drawn like that of a
 * flaw, with its safe value. So neither a construct nor the setting that it is for says where the flaws are.
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
  const chosen = chooseForm(options, plan, placesOf(options, address, choice));
  if (!chosen) return plan;
  const { site, technique, hidden } = chosen;
  const innocent = { key: triedKey(site.key, technique), address, hidden };
  return { ...withHidden(plan, hidden), innocent: [...plan.innocent, innocent] };
}

/** In the order in which flaws are planted. */
function placesOf({ secure, groups }: PlanningOptions, address: string, choice: SeededChoice): InjectionSite[] {
  const wanted = groups.flatMap((group) => group.filter(({ target }) => target.address === address));
  return wanted.length > 0 ? wanted : choice.shuffled(secure.sitesOf(address));
}
