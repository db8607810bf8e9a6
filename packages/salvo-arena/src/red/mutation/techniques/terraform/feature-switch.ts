import { ambiguousWord, freshName, kindWords, settingWords, snakeName, thingWords } from '../names.ts';
import { type Hidden, type HidingPlace, switched } from '../technique.ts';
import { isReference, switchableBlock, switchableResource } from './switches.ts';
import { variableDeclaration } from './terraform-declarations.ts';

/** What prevents the flaw is still in the code, and depends on a variable that is true or false. */
export function featureSwitch(place: HidingPlace): Hidden | null {
  return switchedOnOrOff(place) ?? setOrNot(place);
}

function switchedOnOrOff(place: HidingPlace): Hidden | null {
  const found = switchableResource(place) ?? switchableBlock(place);
  if (!found) return null;
  const { address, on, off, write } = found;
  const { name, choose, declare } = switchVariable(place, snakeName(address, kindWords(address)), thingWords(address));
  const used = write(choose(on, off));
  return switched([{ address: `var.${name}` }, { address }], (isSafe) => ({ edits: [used, declare(isSafe)] }));
}

/** `null` in the place of a reference would show that something is missing, so the reference stays beside it. */
function setOrNot(place: HidingPlace): Hidden | null {
  const { spot } = place;
  if (!spot || !isReference(place)) return null;
  const what = `${settingWords(spot.name)} of the ${thingWords(spot.address)}`;
  const { name, choose, declare } = switchVariable(place, snakeName(spot.address, spot.name), what);
  const edits = spot.write(choose(spot.safe, spot.insecure));
  if (edits.length === 0) return null;
  return switched([{ address: `var.${name}` }], (isSafe) => ({ edits: [...edits, declare(isSafe)] }));
}

/**
 * A variable that chooses the first or the second of two results. Neither its name nor its value shows which of them is
 * safe: if `false` always switched something off, every `false` would be a flaw.
 */
function switchVariable(place: HidingPlace, switched: string, what: string) {
  const word = ambiguousWord(place.choice);
  const name = freshName(place, `${word}_${switched}`);
  const declared = variableDeclaration(place, { name, description: `Whether the ${what} is ${word}.`, type: 'bool' });
  const isFirst = place.choice.between(0, 1) === 0;
  return {
    name,
    /** Null is a value of Terraform: not set. */
    choose: (safe: string | null, weak: string | null) =>
      `var.${name} ? ${isFirst ? `${safe} : ${weak}` : `${weak} : ${safe}`}`,
    declare: (isSafe: boolean) => declared(String(isSafe === isFirst)),
  };
}
