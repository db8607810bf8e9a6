import { environmentTest } from './environment-test.ts';
import type { Technique } from './technique.ts';

/** The value is right in production, by a name of it that no deployment has. */
export const environmentCondition: Technique = {
  id: 'environment_condition',
  language: 'terraform',
  difficulty: 'hard',
  hide: ({ project, spot }) => {
    if (!spot || spot.secure?.includes('\n')) return null;
    const { condition, edits } = environmentTest(project);
    const code = `${condition} ? ${spot.secure ?? 'null'} : ${spot.insecure}`;
    return { edits: [...spot.write(code), ...edits] };
  },
};
