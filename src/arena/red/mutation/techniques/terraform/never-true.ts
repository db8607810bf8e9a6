import { freshName, snakeName } from '../names.ts';
import type { HidingPlace } from '../technique.ts';
import { environmentTest, type NeverTrue } from './environment-test.ts';
import { declareVariable } from './terraform-declarations.ts';

/** A condition that is never true: it compares the environment with another name, or is a variable that is false. */
export function neverTrue(place: HidingPlace, address: string): NeverTrue {
  const { project, choice } = place;
  if (choice.between(0, 1) === 0) return environmentTest(project);
  const kind = address.split('.')[0]?.replace(/^aws_/, '') ?? 'resource';
  const name = freshName(place, `create_${snakeName(address, kind)}`);
  const description = `Whether ${kind.replaceAll('_', ' ')} is set up.`;
  const declared = declareVariable(project, { name, description, type: 'bool', standard: 'false' });
  return { condition: `var.${name}`, edits: [declared] };
}
