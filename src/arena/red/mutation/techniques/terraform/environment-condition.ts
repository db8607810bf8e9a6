import type { Technique } from '../technique.ts';
import { environmentTest } from './never-true.ts';

/** The value is secure in production, but the condition uses a name for it that no deployment has. */
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

/** Both results of a condition must have the same type, so `"*"` is written as a list or a map if the other is one. */
function withTypeOf(insecure: string, secure: string): string | null {
  const isText = insecure.startsWith('"');
  if (secure.startsWith('[')) return isText ? `[${insecure}]` : insecure;
  if (!secure.startsWith('{')) return insecure;
  const [, key] = /^\{\s*(\w+)\s*=[^,=\n]*\}$/.exec(secure) ?? [];
  return isText && key === 'AWS' ? `{ AWS = ${insecure} }` : null;
}
