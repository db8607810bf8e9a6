import type { CodeLanguage } from '../../../../iac/syntax/code-block.ts';
import type { Difficulty } from '../../../game-settings.ts';
import { broaderEntries } from './broader-entry.ts';
import { broaderResources } from './broader-resource.ts';
import { templateCondition } from './cloudformation/environment-condition.ts';
import { environmentMapping } from './cloudformation/environment-mapping.ts';
import { mappingValue } from './cloudformation/mapping-value.ts';
import { misleadingMetadata } from './cloudformation/misleading-tag.ts';
import { parameterDefault } from './cloudformation/parameter-default.ts';
import { templateGuard } from './cloudformation/switched-off-guard.ts';
import { plainEdits } from './plain-edit.ts';
import type { Technique } from './technique.ts';
import { environmentCondition } from './terraform/environment-condition.ts';
import { keyedEntry } from './terraform/keyed-entry.ts';
import { localValue } from './terraform/local-value.ts';
import { misleadingTag } from './terraform/misleading-tag.ts';
import { moduleInput } from './terraform/module-input.ts';
import { overrideFile } from './terraform/override-file.ts';
import { switchedOffBlock } from './terraform/switched-off-block.ts';
import { switchedOffGuard } from './terraform/switched-off-guard.ts';
import { tfvarsValue } from './terraform/tfvars-value.ts';
import { variableDefault } from './terraform/variable-default.ts';

const TECHNIQUES: readonly Technique[] = [
  ...plainEdits,
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
  keyedEntry,
  switchedOffGuard,
  switchedOffBlock,
  ...broaderEntries,
  ...broaderResources,
  templateCondition,
  environmentMapping,
  templateGuard,
];

/** Only techniques of exactly this difficulty: a flaw that fits none of them is not planted. */
export function techniquesFor(language: CodeLanguage, difficulty: Difficulty): Technique[] {
  return TECHNIQUES.filter((one) => one.language === language && one.difficulty === difficulty);
}
