import { chooseForm } from './choose-form.ts';
import { type CodePlan, EMPTY_PLAN, type PlanningOptions, withHidden } from './code-plan.ts';
import { areRelated, type InjectionSite } from './site/injection-site.ts';

/**
 * Chooses flaws and how each is hidden, with edits that do not overlap. All edits refer to the secure code, so that the
 * mutated code is parsed only once. Whether every flaw is there is checked afterwards, by `unprovenFlaws`.
 */
export function planFlaws(options: PlanningOptions): CodePlan {
  return options.isSpread ? overResources(options) : inGroups(options);
}

/** One flaw in each resource, as long as there are resources; then further ones at other places. */
function overResources(options: PlanningOptions): CodePlan {
  const { groups, count } = options;
  const byResource = [...Map.groupBy(groups.flat(), ({ target }) => target.address).values()];
  let plan = EMPTY_PLAN;
  for (let before = -1; plan.planted.length > before; ) {
    before = plan.planted.length;
    for (const sites of byResource) {
      if (plan.planted.length >= count) return plan;
      const free = sites.filter((site) => isNewPlace(site, plan));
      plan = withFlaw(options, plan, free, plan.planted.length) ?? plan;
    }
  }
  return plan;
}

function inGroups(options: PlanningOptions): CodePlan {
  const { groups, count } = options;
  let plan = EMPTY_PLAN;
  for (const mayTake of PREFERENCES) {
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
  for (const site of group) next = next && withFlaw(options, next, [site], number);
  return next;
}

/** A flaw at one of the sites. */
function withFlaw(
  options: PlanningOptions,
  plan: CodePlan,
  sites: readonly InjectionSite[],
  group: number,
): CodePlan | null {
  const chosen = chooseForm(options, plan, sites);
  if (!chosen) return null;
  const { site, technique, hidden } = chosen;
  const flaw = { site, target: hidden.target ?? site.target, technique, hidden, group };
  return { ...withHidden(plan, hidden), planted: [...plan.planted, flaw] };
}

type Preference = (site: InjectionSite, plan: CodePlan) => boolean;

const isNewPlace: Preference = ({ target }, { planted }) =>
  !planted.some(({ site }) => site.target.address === target.address && site.target.attribute === target.attribute);

const isNewResource: Preference = ({ target }, { planted }) =>
  !planted.some(({ site }) => areRelated(site.target, target));

const isNewKind: Preference = ({ operator }, { planted }) =>
  !planted.some(({ site }) => site.operator.id === operator.id);

/** In this order. Flaws of different kinds in different resources are preferred; no attribute gets two flaws. */
const PREFERENCES: readonly Preference[] = [
  (site, plan) => isNewPlace(site, plan) && isNewResource(site, plan) && isNewKind(site, plan),
  (site, plan) => isNewPlace(site, plan) && isNewResource(site, plan),
  isNewPlace,
];
