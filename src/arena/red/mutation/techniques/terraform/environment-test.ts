import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { declareVariable } from './terraform-declarations.ts';

/** A condition that reads as if it held, and what has to be declared for it. */
export interface NeverTrue {
  condition: string;
  edits: CodeEdit[];
}

/**
 * Asks for an environment by a name that it does not have: `production` where the default is `prod`. People do this,
 * and nobody notices.
 */
export function environmentTest(project: CodeProject): NeverTrue {
  const declared = project.files
    .filter(({ file }) => !file.includes('/'))
    .flatMap(({ blocks }) => blocks)
    .find(({ address }) => address === 'var.environment');
  const standard = declared?.attributes.find(({ name }) => name === 'default')?.value;
  if (declared && standard?.kind === 'literal') {
    const other = standard.value === 'production' ? 'prod' : 'production';
    return { condition: `var.environment == "${other}"`, edits: [] };
  }
  const name = declared ? 'deployment_stage' : 'environment';
  const edits = project.files.some(({ blocks }) => blocks.some(({ address }) => address === `var.${name}`))
    ? []
    : [declareVariable(project, { name, description: 'Deployment stage.', type: 'string', standard: '"prod"' })];
  return { condition: `var.${name} == "production"`, edits };
}
