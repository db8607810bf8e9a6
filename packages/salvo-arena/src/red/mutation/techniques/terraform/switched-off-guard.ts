import type { Technique } from '../technique.ts';
import { switchableResource } from './switches.ts';
import { environmentChoice } from './terraform-environment.ts';

/** The resource that prevents the flaw is still in the code, but `count` depends on the environment. */
export const switchedOffGuard: Technique = {
  id: 'switched_off_guard',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const found = switchableResource(place);
    const code = environmentChoice(place);
    if (!found || !code) return null;
    const { address, on, off, write } = found;
    return {
      safe: { edits: [write(code(on, off, true))] },
      weak: { edits: [write(code(on, off, false))] },
      carriers: [{ address }],
    };
  },
};
