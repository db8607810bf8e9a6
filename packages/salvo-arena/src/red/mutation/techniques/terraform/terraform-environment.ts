import { besidePlace } from '../code-parts.ts';
import { environmentTest } from '../environment.ts';
import type { HidingPlace } from '../technique.ts';

/**
 * The variable with the name of the environment, and its default. Null without such a variable: one that only hiding
 * places need would show that something is hidden.
 */
export function environmentOf(place: Pick<HidingPlace, 'project' | 'target'>) {
  const declared = besidePlace(place)
    .flatMap(({ blocks }) => blocks)
    .find(({ address }) => NAMES.includes(address));
  const standard = declared?.attributes.find(({ name }) => name === 'default')?.value;
  if (!declared || standard?.kind !== 'literal' || typeof standard.value !== 'string') return null;
  return { reference: declared.address, standard: standard.value };
}

const NAMES = ['var.environment', 'var.env', 'var.stage'];

/**
 * Writes a choice between two pieces of code by environment, in an order of its own. Which of the two the environment
 * of the code gets changes only the name that it is compared with.
 */
export function environmentChoice(place: HidingPlace) {
  const { choice } = place;
  const environment = environmentOf(place);
  if (!environment) return null;
  const { isNegated, nameIf } = environmentTest(environment.standard, choice);
  const isFirst = choice.between(0, 1) === 0;
  const test = `${environment.reference} ${isNegated ? '!=' : '=='}`;
  return (one: string, other: string, isOne: boolean) => {
    const [first, second] = isFirst ? [one, other] : [other, one];
    return `${test} ${JSON.stringify(nameIf(isOne === isFirst))} ? ${first} : ${second}`;
  };
}
