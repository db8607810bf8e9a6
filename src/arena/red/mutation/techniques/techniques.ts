import type { CodeLanguage } from '../../../../iac/code-block.ts';
import type { Difficulty } from '../../../difficulty.ts';
import { broaderEntries } from './broader-entry.ts';
import { broaderResources } from './broader-resource.ts';
import { environmentCondition } from './environment-condition.ts';
import { environmentMapping } from './environment-mapping.ts';
import { keyedEntry } from './keyed-entry.ts';
import { localValue } from './local-value.ts';
import { mappingValue } from './mapping-value.ts';
import { misleadingMetadata } from './misleading-metadata.ts';
import { misleadingTag } from './misleading-tag.ts';
import { moduleInput } from './module-input.ts';
import { overrideFile } from './override-file.ts';
import { parameterDefault } from './parameter-default.ts';
import { plainEdits } from './plain-edit.ts';
import { switchedOffBlock } from './switched-off-block.ts';
import { switchedOffGuard } from './switched-off-guard.ts';
import type { Technique } from './technique.ts';
import { templateCondition } from './template-condition.ts';
import { templateGuard } from './template-guard.ts';
import { tfvarsValue } from './tfvars-value.ts';
import { variableDefault } from './variable-default.ts';

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

/** Never those of an easier difficulty: what does not fit is not planted. */
export function techniquesFor(language: CodeLanguage, difficulty: Difficulty): Technique[] {
  return TECHNIQUES.filter((one) => one.language === language && one.difficulty === difficulty);
}
