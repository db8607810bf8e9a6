import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Difficulty } from '../../tasks/game-settings.ts';
import { broaderEntries } from './techniques/broader-entry.ts';
import { broaderResources } from './techniques/broader-resource.ts';
import { templateCondition } from './techniques/cloudformation/environment-condition.ts';
import { environmentMapping } from './techniques/cloudformation/environment-mapping.ts';
import { templateSwitch } from './techniques/cloudformation/feature-switch.ts';
import { mappingValue } from './techniques/cloudformation/mapping-value.ts';
import { misleadingMetadata } from './techniques/cloudformation/misleading-tag.ts';
import { parameterDefault } from './techniques/cloudformation/parameter-default.ts';
import { templateGuard } from './techniques/cloudformation/switched-off-guard.ts';
import { plainEdits } from './techniques/plain-edit.ts';
import type { Technique } from './techniques/technique.ts';
import { computedValue } from './techniques/terraform/computed-value.ts';
import { environmentCondition } from './techniques/terraform/environment-condition.ts';
import { environmentModule } from './techniques/terraform/environment-module.ts';
import { featureSwitch } from './techniques/terraform/feature-switch.ts';
import { keyedEntry } from './techniques/terraform/keyed-entry.ts';
import { localValue } from './techniques/terraform/local-value.ts';
import { misleadingTag } from './techniques/terraform/misleading-tag.ts';
import { moduleInput } from './techniques/terraform/module-input.ts';
import { overrideFile } from './techniques/terraform/override-file.ts';
import { switchedOffBlock } from './techniques/terraform/switched-off-block.ts';
import { switchedOffGuard } from './techniques/terraform/switched-off-guard.ts';
import { tfvarsValue } from './techniques/terraform/tfvars-value.ts';
import { variableDefault } from './techniques/terraform/variable-default.ts';
import { unusualForms } from './techniques/unusual-form.ts';

const TECHNIQUES: readonly Technique[] = [
  ...plainEdits,
  ...unusualForms,
  variableDefault,
  localValue,
  tfvarsValue,
  overrideFile,
  misleadingTag,
  parameterDefault,
  mappingValue,
  misleadingMetadata,
  environmentCondition,
  moduleInput,
  featureSwitch,
  computedValue,
  environmentModule,
  keyedEntry,
  switchedOffGuard,
  switchedOffBlock,
  ...broaderEntries,
  ...broaderResources,
  templateCondition,
  environmentMapping,
  templateSwitch,
  templateGuard,
];

/** Only those of this difficulty. A flaw that none of them can hide is not planted. */
export function techniquesFor(language: CodeLanguage, difficulty: Difficulty): Technique[] {
  return TECHNIQUES.filter((one) => one.language === language && one.difficulty === difficulty);
}
