import type { MutationTarget } from '../operators/operator.ts';
import { type CodePlan, fittingForm, type PlanningOptions, triedKey, withHidden } from './code-plan.ts';
import type { OrdinaryPlace, SecureTemplate } from './secure-template.ts';
import type { InjectionSite } from './site/injection-site.ts';
import { createSeededChoice, type SeededChoice } from './site/seeded-choice.ts';
import type { HidingPlace } from './techniques/technique.ts';

/** How many places of a resource are tried until one fits. */
const MOST_TRIED = 6;
/** Of so many resources, one gets a second construct. */
const SECOND_IN = 2;
/** Of so many places, one is an ordinary value where the resource also has values that a flaw could be in. */
const ORDINARY_IN = 8;
/** Of so many resources without a value that a flaw could be in, one is left as it is. */
const UNCHANGED_IN = 4;

/**
 * Writes the rest of the code in the same style as the flaws: every resource, flawed or not, gets about as many
 * constructs of the game's techniques, with safe values. So a construct says nothing about where the flaws are.
 */
export function withHouseStyle(options: PlanningOptions, plan: CodePlan, seed: number): CodePlan {
  const { secure } = options;
  let next = plan;
  const choice = createSeededChoice(seed, 'house style');
  for (const { address } of choice.shuffled(secure.resources)) {
    const own = createSeededChoice(seed, address);
    const flaws = plan.planted.filter(({ site, target }) => [site.target.address, target.address].includes(address));
    const isUnchanged = secure.sitesOf(address).length === 0;
    const wanted = isUnchanged ? 0 : 1;
    for (let count = flaws.length; count < wanted; count += 1) next = withInnocent(options, next, address, own);
  }
  return next;
}

function withInnocent(options: PlanningOptions, plan: CodePlan, address: string, choice: SeededChoice): CodePlan {
  const { techniques, failed } = options;
  for (const { key, place } of placesOf(options, address, choice)) {
    if (plan.keys.has(key)) continue;
    for (const technique of choice.shuffled(techniques, ({ weight = 1 }) => weight)) {
      if (failed.has(triedKey(key, technique.id))) continue;
      const hidden = fittingForm(technique, { ...place, written: plan.written, choice }, plan);
      if (!hidden) continue;
      const innocent = { key: triedKey(key, technique.id), address, hidden };
      return { ...withHidden(plan, key, hidden), innocent: [...plan.innocent, innocent] };
    }
  }
  return plan;
}

interface StylePlace {
  key: string;
  place: Omit<HidingPlace, 'written' | 'choice'>;
}

/** Places where a flaw could be come first in most cases, in the order in which flaws are planted. */
function placesOf({ secure, groups }: PlanningOptions, address: string, choice: SeededChoice): StylePlace[] {
  const wanted = groups.flatMap((group) => group.filter(({ target }) => target.address === address));
  const sites = (wanted.length > 0 ? wanted : choice.shuffled(secure.sitesOf(address))).slice(0, MOST_TRIED);
  const ordinary = choice.shuffled(secure.ordinaryPlaces(address)).slice(0, MOST_TRIED);
  const isOrdinaryFirst = choice.between(1, ORDINARY_IN) === 1;
  const flawed = sites.map((site) => ({ key: site.key, place: sitePlace(secure, site) }));
  const others = ordinary
    .map((place) => ({ key: place.key, place: ordinaryPlace(secure, place) }))
    .sort((a, b) => Number(a.place.spot === null) - Number(b.place.spot === null));
  return flawed;
}

/** A place where an operator could plant a flaw. */
export function sitePlace(secure: SecureTemplate, site: InjectionSite): StylePlace['place'] {
  const { operator, target, weakness } = site;
  const guard = () => operator.guard(secure.project, target);
  return { project: secure.project, operator, target, category: weakness.category, guard, ...secure.editsFor(site) };
}

function ordinaryPlace({ project }: SecureTemplate, { address, file, spot, isUnused }: OrdinaryPlace) {
  const target: MutationTarget = { address, file, attribute: null, related: [] };
  return {
    project,
    operator: null,
    target,
    category: null,
    plain: [],
    spot,
    guard: () => (spot === null && isUnused() ? address : null),
  };
}
