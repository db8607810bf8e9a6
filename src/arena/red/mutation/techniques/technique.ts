import type { CodeLanguage } from '../../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { Difficulty } from '../../../difficulty.ts';
import type { CodeEdit, MutationOperator, MutationTarget } from '../../operators/operator.ts';
import type { SeededChoice } from '../site/seeded-choice.ts';
import type { TemplateEntry } from '../site/template-entry.ts';
import type { WeakSpot } from '../site/weak-spot.ts';

/** One way to hide a flaw in code. */
export interface Technique {
  /** As in manifests: `variable_default`. */
  id: string;
  language: CodeLanguage;
  difficulty: Difficulty;
  /** Null where the code does not allow it. The result still has to be proven. */
  hide(place: HidingPlace): Hidden | null;
}

/** The flaw to plant, and the secure code. */
export interface HidingPlace {
  project: CodeProject;
  operator: MutationOperator;
  target: MutationTarget;
  /** The category of the weakness that the operator plants. */
  category: string;
  /** The plain edit of the operator. */
  plain: readonly CodeEdit[];
  spot: WeakSpot | null;
  /** The code that the flaws before this one add. Its names are taken. */
  written: string;
  choice: SeededChoice;
}

export interface Hidden {
  edits: readonly CodeEdit[];
  /** Declarations in a template. The same one is added only once. */
  entries?: readonly TemplateEntry[];
  /** Where the flaw is, if it is in another resource than the operator would have put it. */
  target?: MutationTarget;
}
