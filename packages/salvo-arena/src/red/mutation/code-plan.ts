import { EditError, type TextEdit } from '../../iac/edit/edits.ts';
import type { SeededChoice } from '../../templates/seeded-choice.ts';
import type { CodeEdit } from '../operators/operator.ts';
import type { PlantedSecret } from '../operators/planted-secret.ts';
import type { PlantedFlaw } from './mutated-code.ts';
import type { SecureTemplate } from './secure-template.ts';
import type { InjectionSite } from './site/injection-site.ts';
import type { CodeForm, Hidden, HidingPlace, Technique } from './techniques/technique.ts';

export interface PlanningOptions {
  secure: SecureTemplate;
  /** In the order of preference. */
  groups: readonly (readonly InjectionSite[])[];
  techniques: readonly Technique[];
  count: number;
  /** Resources were drawn at random: none is skipped because of the flaws of another one. */
  isSpread: boolean;
  /** What was tried and could not be proven, by `triedKey`. */
  failed: ReadonlySet<string>;
  choiceFor(site: InjectionSite): SeededChoice;
}

/** A construct with a safe value. */
interface Innocent {
  /** As in `failed`. */
  key: string;
  /** Of the resource that it is for. */
  address: string;
  /** The weakness that it would be with another value. */
  weakness: string;
  hidden: Hidden;
}

/** Flaws and innocent constructs whose edits do not overlap. All edits refer to the secure code. */
export interface CodePlan {
  planted: readonly PlantedFlaw[];
  innocent: readonly Innocent[];
  /** All edits of both forms. */
  edits: readonly CodeEdit[];
  /** The code that is added, in which no name may be declared twice. */
  written: string;
}

export const EMPTY_PLAN: CodePlan = { planted: [], innocent: [], edits: [], written: '' };

export function triedKey(key: string, technique: string): string {
  return `${technique} ${key}`;
}

/** The plan with the edits of one more place. */
export function withHidden(plan: CodePlan, { safe, weak }: Hidden): CodePlan {
  const edits = [...safe.edits, ...weak.edits];
  const entries = [...(safe.entries ?? []), ...(weak.entries ?? [])].map(({ code }) => code);
  const added = [...edits.flatMap((edit) => edit.edits.map(({ text }) => text)), ...entries];
  return {
    ...plan,
    edits: [...plan.edits, ...edits],
    written: [plan.written, ...new Set(added)].join('\n'),
  };
}

/** Null when the technique does not fit here, which an `EditError` says as well. */
export function fittingForm(technique: Technique, place: HidingPlace, plan: CodePlan): Hidden | null {
  try {
    const hidden = technique.hide(place);
    const isFree = (form: CodeForm) => !areOverlapping(form.edits, plan.edits);
    // Both values of a switch are in the twin, and a credential in code is a flaw whichever is chosen.
    if (hidden && place.operator.secret && holdsSecret(hidden.safe, place.operator.secret)) return null;
    return hidden && isFree(hidden.safe) && isFree(hidden.weak) ? hidden : null;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

function holdsSecret({ edits, entries = [] }: CodeForm, { example }: PlantedSecret): boolean {
  const texts = [...edits.flatMap((edit) => edit.edits.map(({ text }) => text)), ...entries.map(({ code }) => code)];
  return texts.some((text) => text.includes(example));
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
