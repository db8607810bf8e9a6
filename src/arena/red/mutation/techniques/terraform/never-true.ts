import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { freshName, snakeName } from '../names.ts';
import type { HidingPlace } from '../technique.ts';
import { declareVariable } from './terraform-declarations.ts';

/** A condition that looks as if it held, and the declarations that it needs. */
interface NeverTrue {
  condition: string;
  edits: CodeEdit[];
}

/** Compares the environment with a name that it does not have: `production` where the default is `prod`. */
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

/** A condition for something that should exist: another name of the environment, or a switch that is off. */
export function neverTrue(place: HidingPlace, address: string): NeverTrue {
  const { project, choice } = place;
  if (choice.between(0, 1) === 0) return environmentTest(project);
  const kind = address.split('.')[0]?.replace(/^aws_/, '') ?? 'resource';
  const name = freshName(place, `create_${snakeName(address, kind)}`);
  const description = `Whether ${kind.replaceAll('_', ' ')} is set up.`;
  const declared = declareVariable(project, { name, description, type: 'bool', standard: 'false' });
  return { condition: `var.${name}`, edits: [declared] };
}
