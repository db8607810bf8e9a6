import type { Technique } from '../technique.ts';
import { neverTrueCondition } from './template-environment.ts';

/** The property is secure under a condition that never holds; otherwise it is weak, or missing. */
export const templateCondition: Technique = {
  id: 'environment_condition',
  language: 'cloudformation',
  difficulty: 'hard',
  hide: ({ project, spot }) => {
    const source = project.files.find(({ file }) => file === spot?.file);
    const never = source && neverTrueCondition(project, source);
    if (!spot || !never) return null;
    const { condition, entries } = never;
    const secure = spot.secure ?? '!Ref AWS::NoValue';
    const isShort =
      /^(?:[\w./:-]+|"[^"\n]*"|!Ref [\w:]+)$/.test(secure) &&
      /^(?:[\w./:-]+|"[^"\n]*"|\[[^\n]*\]|!Ref [\w:]+)$/.test(spot.insecure);
    const code = isShort
      ? `!If [${condition}, ${secure}, ${spot.insecure}]`
      : `Fn::If:\n  - ${condition}\n  - ${secure.replaceAll('\n', '\n    ')}\n  - ${spot.insecure}`;
    return { edits: spot.write(code), entries };
  },
};
