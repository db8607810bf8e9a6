import type { CodeProject } from '../../../../../iac/syntax/parse-code.ts';
import type { CodeEdit } from '../../../operators/operator.ts';
import { appendTo } from '../code-parts.ts';
import { environmentTest } from '../environment.ts';
import type { HidingPlace } from '../technique.ts';
import { variableCode } from './terraform-declarations.ts';

/** The variable with the name of the environment, its default, and the edits that declare it if it is not there. */
interface Environment {
  reference: string;
  standard: string;
  edits: CodeEdit[];
}

export function environmentOf(project: CodeProject): Environment {
  const declared = project.files
    .filter(({ file }) => !file.includes('/'))
    .flatMap(({ blocks }) => blocks)
    .find(({ address }) => address === 'var.environment');
  const standard = declared?.attributes.find(({ name }) => name === 'default')?.value;
  if (standard?.kind === 'literal') {
    return { reference: 'var.environment', standard: String(standard.value), edits: [] };
  }
  const name = declared ? 'deployment_stage' : 'environment';
  const code = variableCode({ name, description: 'Deployment stage.', type: 'string', standard: '"prod"' });
  return { reference: `var.${name}`, standard: 'prod', edits: [appendTo(project, 'variables.tf', code)] };
}

/** A choice between two pieces of code by environment. */
interface EnvironmentChoice {
  /** The code of the choice: `taken` is what the environment of the code gets. */
  code(taken: string, other: string): string;
  edits: CodeEdit[];
}

export function environmentChoice({ project, choice }: HidingPlace): EnvironmentChoice {
  const { reference, standard, edits } = environmentOf(project);
  const { name, isNegated, holds } = environmentTest(standard, choice);
  const condition = `${reference} ${isNegated ? '!=' : '=='} ${JSON.stringify(name)}`;
  return {
    code: (taken, other) => `${condition} ? ${holds ? taken : other} : ${holds ? other : taken}`,
    edits,
  };
}
