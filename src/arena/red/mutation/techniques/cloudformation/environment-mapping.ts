import { parse } from 'yaml';
import { freshName, ownName, pascalName } from '../names.ts';
import type { Technique } from '../technique.ts';
import { templateEnvironment, weakValueText } from './template-environment.ts';

/** The resource looks up the value by environment; the secure one is under a name that no deployment has. */
export const environmentMapping: Technique = {
  id: 'environment_mapping',
  language: 'cloudformation',
  difficulty: 'hard',
  hide: (place) => {
    const { project, spot } = place;
    const source = project.files.find(({ file }) => file === spot?.file);
    const weak = weakValueText(spot);
    const environment = source && templateEnvironment(project, source);
    if (!source || !spot || !environment || weak === null || !isPlain(spot.secure)) return null;
    const { parameter, standard, entries } = environment;
    if (!/^[\w-]+$/.test(standard)) return null;
    const map = freshName(place, pascalName(ownName(spot.address), 'By', parameter));
    const name = pascalName(spot.name);
    const other = standard === 'production' ? 'prod' : 'production';
    const right = JSON.stringify(String(parse(spot.secure)));
    const lines = [
      `${map}:`,
      `  ${other}:`,
      `    ${name}: ${right}`,
      `  ${standard}:`,
      `    ${name}: ${JSON.stringify(weak)}`,
    ];
    const lookup = `!FindInMap [${map}, !Ref ${parameter}, ${name}]`;
    const mapping = { file: spot.file, section: 'Mappings' as const, code: lines.join('\n') };
    return { edits: spot.write(lookup), entries: [...entries, mapping] };
  },
};

/** A mapping contains only constants, and no dynamic references such as `{{resolve:ssm:name}}`. */
function isPlain(code: string | null): code is string {
  return code !== null && /^(?:[\w./:-]+|"[^"]*")$/.test(code) && !code.includes('{{');
}
