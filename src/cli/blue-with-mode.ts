import type { DetectionMode } from '../arena/blue/detection-mode.ts';
import { SalvoError } from '../text/salvo-error.ts';

/** The Blue that is left of a name in a mode: `hybrid` of a model has the rules as well, `llm_only` has no tools. */
export function blueWithMode(blue: string, mode: DetectionMode | undefined): string {
  if (mode === undefined) return blue;
  const isCommand = blue.trim().startsWith('command:');
  const parts = isCommand ? [blue] : blue.replace(/^\s*hybrid:/, '').split('+');
  const models = parts.filter((part) => part.trim().startsWith('llm:'));
  const tools = parts.filter((part) => !part.trim().startsWith('llm:'));
  if (mode === 'tools_only') return tools.length > 0 ? tools.join('+') : 'rules';
  if (models.length === 0) {
    throw new SalvoError('BLUE_OPTIONS', `The mode ${mode} needs a model: name one, such as --blue llm:gpt-5.`);
  }
  return mode === 'llm_only'
    ? models.join('+')
    : `hybrid:${[...(tools.length > 0 ? tools : ['rules']), ...models].join('+')}`;
}
