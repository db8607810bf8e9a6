import { freshName, kindWords, settingWords, snakeName, thingWords } from '../names.ts';
import type { Hidden, HidingPlace, Technique } from '../technique.ts';
import { isReference, switchableBlock, switchableResource } from './switches.ts';
import { variableDeclaration } from './terraform-declarations.ts';

/** What prevents the flaw is still in the code, and depends on a variable that is on or off. */
export const featureSwitch: Technique = {
  id: 'feature_switch',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => switchedOnOrOff(place) ?? setOrNot(place),
};

function switchedOnOrOff(place: HidingPlace): Hidden | null {
  const found = switchableResource(place) ?? switchableBlock(place);
  if (!found) return null;
  const { address, on, off, write } = found;
  const switched = snakeName(address, kindWords(address));
  const name = freshName(place, `create_${switched}`, `enable_${switched}`, `with_${switched}`);
  const description = `Whether the ${thingWords(address)} is set up.`;
  const declare = variableDeclaration(place, { name, description, type: 'bool' });
  const used = write(`var.${name} ? ${on} : ${off}`);
  return {
    safe: { edits: [used, declare('true')] },
    weak: { edits: [used, declare('false')] },
    carriers: [{ address: `var.${name}` }, { address }],
  };
}

/** `null` in the place of a reference would show that something is missing, so the reference stays beside it. */
function setOrNot(place: HidingPlace): Hidden | null {
  const { spot } = place;
  if (!spot || !isReference(place)) return null;
  const switched = snakeName(spot.address, spot.name);
  const name = freshName(place, `enable_${switched}`, `use_${switched}`, `with_${switched}`);
  const description = `Whether the ${thingWords(spot.address)} has its ${settingWords(spot.name)}.`;
  const declare = variableDeclaration(place, { name, description, type: 'bool' });
  const edits = spot.write(`var.${name} ? ${spot.safe} : ${spot.insecure}`);
  if (edits.length === 0) return null;
  return {
    safe: { edits: [...edits, declare('true')] },
    weak: { edits: [...edits, declare('false')] },
    carriers: [{ address: `var.${name}` }],
  };
}
