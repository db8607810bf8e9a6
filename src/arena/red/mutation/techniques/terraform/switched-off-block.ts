import type { Technique } from '../technique.ts';
import { switchableBlock } from './switches.ts';
import { environmentChoice } from './terraform-environment.ts';

/** The nested block that prevents the flaw is still in the code, but depends on the environment. */
export const switchedOffBlock: Technique = {
  id: 'switched_off_block',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const found = switchableBlock(place);
    if (!found) return null;
    const { address, on, off, write } = found;
    const { code, edits } = environmentChoice(place);
    return {
      safe: { edits: [write(code(on, off)), ...edits] },
      weak: { edits: [write(code(off, on)), ...edits] },
      carriers: [{ address }],
    };
  },
};
