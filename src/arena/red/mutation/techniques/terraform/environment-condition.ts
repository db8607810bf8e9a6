import type { Technique } from '../technique.ts';
import { environmentTest } from './environment-test.ts';

/** The value is secure if the environment has a certain name, which it never has. */
export const environmentCondition: Technique = {
  id: 'environment_condition',
  language: 'terraform',
  difficulty: 'hard',
  hide: ({ project, spot }) => {
    if (!spot || spot.secure?.includes('\n')) return null;
    const secure = spot.secure ?? 'null';
    const insecure = withTypeOf(spot.insecure, secure);
    if (insecure === null) return null;
    const { condition, edits } = environmentTest(project);
    const code = `${condition} ? ${secure} : ${insecure}`;
    return { edits: [...spot.write(code), ...edits] };
  },
};

/** Both results of a condition must have one type, so `"*"` becomes a list or a map if the other one is. */
function withTypeOf(insecure: string, secure: string): string | null {
  const isText = insecure.startsWith('"');
  if (secure.startsWith('[')) return isText ? `[${insecure}]` : insecure;
  if (!secure.startsWith('{')) return insecure;
  const [, key] = /^\{\s*(\w+)\s*=[^,=\n]*\}$/.exec(secure) ?? [];
  return isText && key === 'AWS' ? `{ AWS = ${insecure} }` : null;
}
