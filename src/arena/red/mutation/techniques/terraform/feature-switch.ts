import { freshName, kindWords, snakeName, thingWords } from '../names.ts';
import type { Technique } from '../technique.ts';
import { switchableBlock, switchableResource } from './switches.ts';
import { variableDeclaration } from './terraform-declarations.ts';

/** What prevents the flaw is still in the code, and depends on a variable that is on or off. */
export const featureSwitch: Technique = {
  id: 'feature_switch',
  language: 'terraform',
  difficulty: 'medium',
  hide: (place) => {
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
  },
};
