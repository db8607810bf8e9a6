import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Difficulty } from '../../tasks/game-settings.ts';
import { broaderEntry } from './techniques/broader-entry.ts';
import { broaderResource } from './techniques/broader-resource.ts';
import { templateEnvironmentCondition } from './techniques/cloudformation/environment-condition.ts';
import { templateFeatureSwitch, templateSwitchedOffGuard } from './techniques/cloudformation/feature-switch.ts';
import { environmentMapping, mappingValue } from './techniques/cloudformation/mapping-table.ts';
import { parameterDefault } from './techniques/cloudformation/parameter-default.ts';
import { misleadingTag, templateMisleadingTag } from './techniques/misleading-tag.ts';
import type { Hidden, HidingPlace, Technique } from './techniques/technique.ts';
import { localValue, tfvarsValue, variableDefault } from './techniques/terraform/declared-value.ts';
import { featureSwitch } from './techniques/terraform/feature-switch.ts';
import { keyedEntry } from './techniques/terraform/keyed-entry.ts';
import { environmentModule, moduleInput } from './techniques/terraform/local-module.ts';
import { overrideFile } from './techniques/terraform/override-file.ts';
import { environmentCondition, environmentMap } from './techniques/terraform/settings-table.ts';
import { switchedOffBlock, switchedOffGuard } from './techniques/terraform/switches.ts';

const TECHNIQUES: readonly Technique[] = [
  { id: 'plain_edit', difficulty: 'easy', hide: plainEdit },
  { id: 'unusual_form', difficulty: 'medium', hide: unusualForm },
  { id: 'variable_default', language: 'terraform', difficulty: 'medium', hide: variableDefault },
  { id: 'local_value', language: 'terraform', difficulty: 'medium', hide: localValue },
  { id: 'tfvars_value', language: 'terraform', difficulty: 'medium', hide: tfvarsValue },
  { id: 'override_file', language: 'terraform', difficulty: 'medium', hide: overrideFile },
  { id: 'misleading_tag', language: 'terraform', difficulty: 'medium', weight: 0.5, hide: misleadingTag },
  { id: 'parameter_default', language: 'cloudformation', difficulty: 'medium', hide: parameterDefault },
  { id: 'mapping_value', language: 'cloudformation', difficulty: 'medium', hide: mappingValue },
  { id: 'misleading_tag', language: 'cloudformation', difficulty: 'medium', weight: 0.35, hide: templateMisleadingTag },
  { id: 'environment_condition', language: 'terraform', difficulty: 'medium', weight: 2, hide: environmentCondition },
  { id: 'module_input', language: 'terraform', difficulty: 'medium', weight: 2, hide: moduleInput },
  { id: 'feature_switch', language: 'terraform', difficulty: 'medium', hide: featureSwitch },
  { id: 'environment_map', language: 'terraform', difficulty: 'medium', weight: 2, hide: environmentMap },
  { id: 'environment_module', language: 'terraform', difficulty: 'medium', hide: environmentModule },
  { id: 'keyed_entry', language: 'terraform', difficulty: 'medium', weight: 0.5, hide: keyedEntry },
  { id: 'switched_off_guard', language: 'terraform', difficulty: 'medium', hide: switchedOffGuard },
  { id: 'switched_off_block', language: 'terraform', difficulty: 'medium', hide: switchedOffBlock },
  { id: 'broader_entry', difficulty: 'medium', weight: 0.5, hide: broaderEntry },
  { id: 'broader_resource', difficulty: 'medium', weight: 0.4, hide: broaderResource },
  {
    id: 'environment_condition',
    language: 'cloudformation',
    difficulty: 'medium',
    weight: 2,
    hide: templateEnvironmentCondition,
  },
  { id: 'environment_mapping', language: 'cloudformation', difficulty: 'medium', weight: 3, hide: environmentMapping },
  { id: 'feature_switch', language: 'cloudformation', difficulty: 'medium', hide: templateFeatureSwitch },
  { id: 'switched_off_guard', language: 'cloudformation', difficulty: 'medium', hide: templateSwitchedOffGuard },
];

/**
 * Only those of this difficulty. A flaw that none of them can hide is not planted. There is none for hard games, whose
 * flaws are relations of several resources.
 */
export function techniquesFor(language: CodeLanguage, difficulty: Difficulty): Technique[] {
  return TECHNIQUES.filter((one) => (one.language ?? language) === language && one.difficulty === difficulty);
}

/** The flaw as an engineer in a hurry would write it: easy to see. */
function plainEdit({ plain, harmless }: HidingPlace): Hidden | null {
  return { safe: { edits: harmless ?? [] }, weak: { edits: plain }, carriers: [] };
}

/** The flaw in a form that few engineers write and some scanners overlook: the operator knows which. */
function unusualForm({ project, operator, target, choice }: HidingPlace): Hidden | null {
  const form = choice.one(operator.unusual(project, target));
  return form ? { safe: { edits: form.harmless ?? [] }, weak: { edits: form.edits }, carriers: [] } : null;
}
