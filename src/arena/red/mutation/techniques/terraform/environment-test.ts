import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { declareVariable } from './terraform-declarations.ts';

/** A condition that looks true but never is, and the edits that declare what it needs. */
export interface NeverTrue {
  condition: string;
  edits: CodeEdit[];
}

/**
 * Compares the environment with a name that it does not have: `production` where the default is `prod`. This is a
 * common mistake that is easy to miss.
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
