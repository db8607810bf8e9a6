import { EditError, type TextEdit } from '../../../iac/edit/edits.ts';
import type { CodeEdit } from '../operators/operator.ts';
import type { Opening } from './injection-site.ts';
import type { Planted } from './mutated-code.ts';
import type { SecureTemplate } from './secure-template.ts';
import type { Draw } from './seeded-choice.ts';
import type { Hidden, Technique } from './techniques/technique.ts';
import type { TemplateEntry } from './template-entry.ts';

/** Flaws, and the edits that plant them all at once. */
interface FlawPlan {
  planted: readonly Planted[];
  edits: readonly CodeEdit[];
  entries: readonly TemplateEntry[];
}

interface PlanningOptions {
  secure: SecureTemplate;
  /** In the order of preference. */
  groups: readonly (readonly Opening[])[];
  techniques: readonly Technique[];
  count: number;
  /** What was tried and did not prove itself, by `triedKey`. */
  failed: ReadonlySet<string>;
  drawFor(opening: Opening): Draw;
}

export function triedKey({ key }: Opening, technique: string): string {
  return `${technique} ${key}`;
}

/**
 * Chooses flaws and how each is hidden, with edits that do not meet. Everything is worked out on the secure code, so
 * that the code has to be read again only once; whether all of it holds is for the proof to say.
 */
export function planFlaws(options: PlanningOptions): FlawPlan {
  const { groups, count } = options;
  let plan: FlawPlan = { planted: [], edits: [], entries: [] };
  for (const mayTake of TASTES) {
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
  group: readonly Opening[],
  number: number,
  mayTake: Taste,
): FlawPlan | null {
  if (!group.every((opening) => mayTake(opening, plan))) return null;
  let next: FlawPlan | null = plan;
  for (const opening of group) next = next && withFlaw(options, next, opening, number);
  return next;
}

function withFlaw(options: PlanningOptions, plan: FlawPlan, opening: Opening, group: number): FlawPlan | null {
  const { secure, techniques, failed, drawFor } = options;
  const { operator, target, weakness } = opening;
  const { plain, spot } = secure.waysIn(opening);
  const draw = drawFor(opening);
  const written = plan.edits.flatMap(({ edits }) => edits.map(({ text }) => text)).join('\n');
  const declared = plan.entries.map(({ code }) => code).join('\n');
  const place = { project: secure.project, operator, target, category: weakness.category, plain, spot, draw };
  for (const technique of leastUsedFirst(draw.shuffled(techniques), plan.planted)) {
    if (failed.has(triedKey(opening, technique.id))) continue;
    const hidden = hiddenBy(technique, { ...place, written: `${written}\n${declared}` });
    if (!hidden || meet(hidden.edits, plan.edits)) continue;
    const planted = { opening, target: hidden.target ?? target, technique: technique.id, group };
    return {
      planted: [...plan.planted, planted],
      edits: [...plan.edits, ...hidden.edits],
      entries: [...plan.entries, ...(hidden.entries ?? [])],
    };
  }
  return null;
}

function leastUsedFirst(techniques: readonly Technique[], planted: readonly Planted[]): Technique[] {
  const uses = ({ id }: Technique) => planted.filter(({ technique }) => technique === id).length;
  return techniques.toSorted((a, b) => uses(a) - uses(b));
}

/** Edits that find no place mean that this cannot be done here. */
function hiddenBy(technique: Technique, place: Parameters<Technique['hide']>[0]): Hidden | null {
  try {
    return technique.hide(place);
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

function meet(some: readonly CodeEdit[], others: readonly CodeEdit[]): boolean {
  return some.some(({ file, edits }) =>
    others.some((other) => other.file === file && edits.some((a) => other.edits.some((b) => overlap(a, b)))),
  );
}

/** What may be said once in a block. */
const ONCE = /^\s*(?:count|for_each|Condition|Metadata)\b/;

/** Two insertions at one place do not meet, since one can stand behind the other. */
function overlap(a: TextEdit, b: TextEdit): boolean {
  const areInsertions = a.start === a.end && b.start === b.end;
  if (areInsertions) return a.start === b.start && ONCE.test(a.text) && ONCE.test(b.text);
  return a.start < b.end && b.start < a.end;
}

type Taste = (opening: Opening, plan: FlawPlan) => boolean;

const isNewPlace: Taste = ({ target }, { planted }) =>
  !planted.some(
    ({ opening }) => opening.target.address === target.address && opening.target.attribute === target.attribute,
  );

const isNewResource: Taste = ({ target }, { planted }) => {
  const near = [target.address, ...target.related];
  return !planted.some(({ opening }) =>
    [opening.target.address, ...opening.target.related].some((address) => near.includes(address)),
  );
};

const isNewKind: Taste = ({ operator }, { planted }) =>
  !planted.some(({ opening }) => opening.operator.id === operator.id);

/** What is preferred first: flaws of all kinds, far from each other. A place is never hit twice. */
const TASTES: readonly Taste[] = [
  (opening, plan) => isNewPlace(opening, plan) && isNewResource(opening, plan) && isNewKind(opening, plan),
  (opening, plan) => isNewPlace(opening, plan) && isNewResource(opening, plan),
  isNewPlace,
];
