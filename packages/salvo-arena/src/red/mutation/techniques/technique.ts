import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Difficulty } from '../../../tasks/game-settings.ts';
import type { SeededChoice } from '../../../templates/seeded-choice.ts';
import type { CodeEdit, MutationOperator, MutationTarget } from '../../operators/operator.ts';
import type { TemplateEntry } from '../site/template-entry.ts';
import type { WeakSpot } from '../site/weak-spot.ts';

/**
 * One way to write a value, a guard or a rule so that it is harder or easier to see. Whether it is weak or safe must
 * not change the form: otherwise the form shows where the flaws are.
 */
export interface Technique {
  /** As in manifests: `variable_default`. */
  id: string;
  /** Both languages if it is absent. */
  language?: CodeLanguage;
  difficulty: Difficulty;
  /** A technique of weight 2 is tried first twice as often; 1 by default. */
  weight?: number;
  /** Null where the code does not allow this technique. The result still has to be proven. */
  hide(place: HidingPlace): Hidden | null;
}

/** A place in the secure code. Most places in a game are innocent: they are rewritten with their safe value. */
export interface HidingPlace {
  project: CodeProject;
  operator: MutationOperator;
  target: MutationTarget;
  /** The category of the weakness that could be planted here. */
  category: string;
  /** The operator's own edits. */
  plain: readonly CodeEdit[];
  /** The same with harmless values; null when there are none. */
  harmless: readonly CodeEdit[] | null;
  spot: WeakSpot | null;
  /** The address of a resource that could be switched off. */
  guard(): string | null;
  /** The code that earlier edits add, whose names must not be used again. */
  written: string;
  choice: SeededChoice;
}

/** The same code twice. */
export interface Hidden {
  /** For the twin, and for an innocent place. */
  safe: CodeForm;
  /** For a flaw. */
  weak: CodeForm;
  /** The declarations that carry the value. */
  carriers: readonly Carrier[];
  /** Set when the flaw is in another resource than the operator's. */
  target?: MutationTarget;
}

export interface CodeForm {
  edits: readonly CodeEdit[];
  /** Declarations of a template, made once even if several places need them. */
  entries?: readonly TemplateEntry[];
}

/** A variable, local value, module, mapping, parameter, or a resource that a flaw was moved to. */
export interface Carrier {
  /** `var.x`, `local.x`, `module.x`, `aws_flow_log.x`; in CloudFormation the name of a parameter, mapping or resource. */
  address: string;
  /** Only in this file: a values file, an override file, a module's file. */
  file?: string;
}

/** A technique that writes a value; null if the twin has no safe value to write. */
export function inBothForms(
  { safe, insecure }: Pick<WeakSpot, 'safe' | 'insecure'>,
  carriers: readonly Carrier[],
  form: (value: string) => CodeForm,
): Hidden | null {
  return safe === null ? null : { safe: form(safe), weak: form(insecure), carriers };
}

/** A technique that switches something on or off. */
export function switched(carriers: readonly Carrier[], form: (isSafe: boolean) => CodeForm): Hidden {
  return { safe: form(true), weak: form(false), carriers };
}
