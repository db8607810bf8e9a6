import type { CodeLanguage } from '../../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { Difficulty } from '../../../game-settings.ts';
import type { CodeEdit, MutationOperator, MutationTarget } from '../../operators/operator.ts';
import type { SeededChoice } from '../site/seeded-choice.ts';
import type { TemplateEntry } from '../site/template-entry.ts';
import type { WeakSpot } from '../site/weak-spot.ts';

/** One way to plant a flaw so that it is harder or easier to see. */
export interface Technique {
  /** As in manifests: `variable_default`. */
  id: string;
  language: CodeLanguage;
  difficulty: Difficulty;
  /** Null where the code does not allow this technique. The result still has to be proven. */
  hide(place: HidingPlace): Hidden | null;
}

/** The flaw to plant, and the code before it. */
export interface HidingPlace {
  project: CodeProject;
  operator: MutationOperator;
  target: MutationTarget;
  /** The category of the weakness that the operator plants. */
  category: string;
  /** The operator's own edits. */
  plain: readonly CodeEdit[];
  spot: WeakSpot | null;
  /** The code that earlier flaws add, whose names must not be used again. */
  written: string;
  choice: SeededChoice;
}

export interface Hidden {
  edits: readonly CodeEdit[];
  /** Declarations of a template, made once even if several flaws need them. */
  entries?: readonly TemplateEntry[];
  /** Set when the flaw is in another resource than the operator's. */
  target?: MutationTarget;
}
