import type { CodeProject } from '../../../../iac/syntax/parse-code.ts';
import { environmentTest } from '../environment.ts';
import type { HidingPlace } from '../technique.ts';

/**
 * The variable with the name of the environment, and its default. Null without such a variable: one that only hiding
 * places need would show that something is hidden.
 */
export function environmentOf(project: CodeProject) {
  const declared = project.files
    .filter(({ file }) => !file.includes('/'))
    .flatMap(({ blocks }) => blocks)
    .find(({ address }) => address === 'var.environment');
  const standard = declared?.attributes.find(({ name }) => name === 'default')?.value;
  return standard?.kind === 'literal' ? { reference: 'var.environment', standard: String(standard.value) } : null;
}

/**
 * Writes a choice between two pieces of code by environment, in an order of its own. Which of the two the environment
 * of the code gets changes only the name that it is compared with.
 */
export function environmentChoice({ project, choice }: HidingPlace) {
  const environment = environmentOf(project);
  if (!environment) return null;
  const { isNegated, nameIf } = environmentTest(environment.standard, choice);
  const isFirst = choice.between(0, 1) === 0;
  const test = `${environment.reference} ${isNegated ? '!=' : '=='}`;
  return (one: string, other: string, isOne: boolean) => {
    const [first, second] = isFirst ? [one, other] : [other, one];
    return `${test} ${JSON.stringify(nameIf(isOne === isFirst))} ? ${first} : ${second}`;
  };
}
