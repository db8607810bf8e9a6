import { EditError, type TextEdit } from '../../../iac/edit/edits.ts';
import type { CodeEdit } from '../operators/operator.ts';
import type { PlantedFlaw } from './mutated-code.ts';
import type { SecureTemplate } from './secure-template.ts';
import { areRelated, type InjectionSite } from './site/injection-site.ts';
import type { SeededChoice } from './site/seeded-choice.ts';
import type { TemplateEntry } from './site/template-entry.ts';
import type { Hidden, Technique } from './techniques/technique.ts';

/** Flaws with the edits that plant all of them at once. */
interface FlawPlan {
  planted: readonly PlantedFlaw[];
  edits: readonly CodeEdit[];
  entries: readonly TemplateEntry[];
}

interface PlanningOptions {
  secure: SecureTemplate;
  /** In the order of preference. */
  groups: readonly (readonly InjectionSite[])[];
  techniques: readonly Technique[];
  count: number;
  /** What was tried and could not be proven, by `triedKey`. */
  failed: ReadonlySet<string>;
  choiceFor(site: InjectionSite): SeededChoice;
}

export function triedKey({ key }: InjectionSite, technique: string): string {
  return `${technique} ${key}`;
}

/**
 * Chooses flaws and how each is hidden, with edits that do not overlap. All edits refer to the secure code, so that the
 * mutated code is parsed only once. Whether every flaw is there is checked afterwards, by `unprovenFlaws`.
 */
export function planFlaws(options: PlanningOptions): FlawPlan {
  const { groups, count } = options;
  let plan: FlawPlan = { planted: [], edits: [], entries: [] };
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
  plan: FlawPlan,
  group: readonly InjectionSite[],
  number: number,
  mayTake: Preference,
): FlawPlan | null {
  if (!group.every((site) => mayTake(site, plan))) return null;
  let next: FlawPlan | null = plan;
  for (const site of group) next = next && withFlaw(options, next, site, number);
  return next;
}

function withFlaw(options: PlanningOptions, plan: FlawPlan, site: InjectionSite, group: number): FlawPlan | null {
  const { secure, techniques, failed, choiceFor } = options;
  const { operator, target, weakness } = site;
  const { plain, spot } = secure.editsFor(site);
  const choice = choiceFor(site);
  const written = plan.edits.flatMap(({ edits }) => edits.map(({ text }) => text)).join('\n');
  const declared = plan.entries.map(({ code }) => code).join('\n');
  const place = { project: secure.project, operator, target, category: weakness.category, plain, spot, choice };
  for (const technique of leastUsedFirst(choice.shuffled(techniques), plan.planted)) {
    if (failed.has(triedKey(site, technique.id))) continue;
    const hidden = hiddenBy(technique, { ...place, written: `${written}\n${declared}` });
    if (!hidden || areOverlapping(hidden.edits, plan.edits)) continue;
    const planted = { site, target: hidden.target ?? target, technique: technique.id, group };
    return {
      planted: [...plan.planted, planted],
      edits: [...plan.edits, ...hidden.edits],
      entries: [...plan.entries, ...(hidden.entries ?? [])],
    };
  }
  return null;
}

function leastUsedFirst(techniques: readonly Technique[], planted: readonly PlantedFlaw[]): Technique[] {
  const uses = ({ id }: Technique) => planted.filter(({ technique }) => technique === id).length;
  return techniques.toSorted((a, b) => uses(a) - uses(b));
}

/** Null when the technique does not fit here, which an `EditError` says as well. */
function hiddenBy(technique: Technique, place: Parameters<Technique['hide']>[0]): Hidden | null {
  try {
    return technique.hide(place);
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

function areOverlapping(some: readonly CodeEdit[], others: readonly CodeEdit[]): boolean {
  return some.some(({ file, edits }) =>
    others.some((other) => other.file === file && edits.some((a) => other.edits.some((b) => doOverlap(a, b)))),
  );
}

/** Arguments and sections that a block can have only once. */
const ONCE = /^\s*(?:count|for_each|Condition|Metadata)\b/;

/** Two insertions at the same place do not overlap: one comes after the other. */
function doOverlap(a: TextEdit, b: TextEdit): boolean {
  const areInsertions = a.start === a.end && b.start === b.end;
  if (areInsertions) return a.start === b.start && ONCE.test(a.text) && ONCE.test(b.text);
  return a.start < b.end && b.start < a.end;
}

type Preference = (site: InjectionSite, plan: FlawPlan) => boolean;

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
