import type { CodeLanguage } from '../../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import type { Difficulty } from '../../../game-settings.ts';
import type { CodeEdit, MutationOperator, MutationTarget } from '../../operators/operator.ts';
import type { Draw } from '../seeded-choice.ts';
import type { TemplateEntry } from '../template-entry.ts';
import type { WeakSpot } from '../weak-spot.ts';

/** One way to put a flaw into code so that it is harder or easier to see. */
export interface Technique {
  /** As in manifests: `variable_default`. */
  id: string;
  language: CodeLanguage;
  difficulty: Difficulty;
  /** Null where the code is not written in a way that lets this be done. What it gives back still has to be proven. */
  hide(place: HidingPlace): Hidden | null;
}

/** The flaw that is to be planted, and the code as it is. */
export interface HidingPlace {
  project: CodeProject;
  operator: MutationOperator;
  target: MutationTarget;
  /** Of the weakness that the operator plants. */
  category: string;
  /** What the operator would do. */
  plain: readonly CodeEdit[];
  spot: WeakSpot | null;
  /** What the flaws before this one put into the code, in which names may not be taken again. */
  written: string;
  draw: Draw;
}

export interface Hidden {
  edits: readonly CodeEdit[];
  /** What has to be declared in a template, once even if several flaws need it. */
  entries?: readonly TemplateEntry[];
  /** When the flaw is not where the operator would have put it, but in a resource beside. */
  target?: MutationTarget;
}
