import { freshName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { switchedResource } from './switched-resource.ts';
import { environmentCondition } from './template-environment.ts';

/** The resource that prevents the flaw is still in the code, but depends on the environment. */
export const templateGuard: Technique = {
  id: 'switched_off_guard',
  language: 'cloudformation',
  difficulty: 'hard',
  hide: (place) => {
    const found = switchedResource(place);
    if (!found) return null;
    const { source, name, write } = found;
    const wanted = freshName(place, `Create${name}`, `Has${name}`, `With${name}`);
    const condition = environmentCondition(place, source, wanted);
    const edits = [write(condition.name)];
    return {
      safe: { edits, entries: condition.declare(true) },
      weak: { edits, entries: condition.declare(false) },
      carriers: [{ address: condition.name }, { address: name }],
    };
  },
};
