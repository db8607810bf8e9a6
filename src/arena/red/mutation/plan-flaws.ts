import { type CodePlan, EMPTY_PLAN, fittingForm, type PlanningOptions, triedKey, withHidden } from './code-plan.ts';
import { sitePlace } from './house-style.ts';
import { areRelated, type InjectionSite } from './site/injection-site.ts';

/**
 * Chooses flaws and how each is hidden, with edits that do not overlap. All edits refer to the secure code, so that the
 * mutated code is parsed only once. Whether every flaw is there is checked afterwards, by `unprovenFlaws`.
 */
export function planFlaws(options: PlanningOptions): CodePlan {
  const { groups, count, isSpread } = options;
  let plan = EMPTY_PLAN;
  for (const mayTake of isSpread ? SPREAD_PREFERENCES : PREFERENCES) {
    for (const [number, group] of groups.entries()) {
      const wanted = group.slice(0, count - plan.planted.length);
      if (wanted.length === 0) return plan;
      plan = withGroup(options, plan, wanted, number, mayTake) ?? plan;
    }
  }
  return plan;
}

function withGroup(
  options: PlanningOptions,
  plan: CodePlan,
  group: readonly InjectionSite[],
  number: number,
  mayTake: Preference,
): CodePlan | null {
  if (!group.every((site) => mayTake(site, plan))) return null;
  let next: CodePlan | null = plan;
  for (const site of group) next = next && withFlaw(options, next, site, number);
  return next;
}

function withFlaw(options: PlanningOptions, plan: CodePlan, site: InjectionSite, group: number): CodePlan | null {
  const { secure, techniques, failed, choiceFor } = options;
  const choice = choiceFor(site);
  const place = { ...sitePlace(secure, site), written: plan.written, choice };
  // The same draw as for innocent places: a technique must not be more frequent among flaws.
  for (const technique of choice.shuffled(techniques, ({ weight = 1 }) => weight)) {
    if (failed.has(triedKey(site.key, technique.id))) continue;
    const hidden = fittingForm(technique, place, plan);
    if (!hidden) continue;
    const flaw = { site, target: hidden.target ?? site.target, technique: technique.id, hidden, group };
    return { ...withHidden(plan, hidden), planted: [...plan.planted, flaw] };
  }
  return null;
}

type Preference = (site: InjectionSite, plan: CodePlan) => boolean;

const isNewPlace: Preference = ({ target }, { planted }) =>
  !planted.some(({ site }) => site.target.address === target.address && site.target.attribute === target.attribute);

const isNewResource: Preference = ({ target }, { planted }) =>
  !planted.some(({ site }) => areRelated(site.target, target));

const isNewKind: Preference = ({ operator }, { planted }) =>
  !planted.some(({ site }) => site.operator.id === operator.id);

const isNewAddress: Preference = ({ target }, { planted }) =>
  !planted.some(({ site }) => site.target.address === target.address);

const SPREAD_PREFERENCES: readonly Preference[] = [isNewAddress, isNewPlace];

/** In this order. Flaws of different kinds in different resources are preferred; no attribute gets two flaws. */
const PREFERENCES: readonly Preference[] = [
  (site, plan) => isNewPlace(site, plan) && isNewResource(site, plan) && isNewKind(site, plan),
  (site, plan) => isNewPlace(site, plan) && isNewResource(site, plan),
  isNewPlace,
];
