import { insertBlock } from '../../../../../iac/edit/insert-block.ts';
import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import { appendTo } from '../code-parts.ts';
import { freshName, ownName, settingWords, snakeName } from '../names.ts';
import type { Technique } from '../technique.ts';

/** The value is the output of a local module, which returns an input: its default, or what the caller sets. */
export const moduleInput: Technique = {
  id: 'module_input',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, spot, choice } = place;
    const found = spot && writtenBlock(project, spot.address);
    if (!spot || !found) return null;
    const module = freshName(place, snakeName(spot.address, 'defaults'));
    const folder = `modules/${module.replaceAll('_', '-')}`;
    const setting = snakeName('settings', spot.name).replace(/^settings_/, '');
    const isConstant = spot.secure !== null && /^(?:true|false|-?\d+|"[^"$%]*")$/.test(spot.secure);
    const isGiven = isConstant && choice.between(0, 1) === 0;
    const call = [
      `module "${module}" {`,
      `  source = "./${folder}"`,
      ...(isGiven ? ['', `  ${setting} = ${spot.insecure}`] : []),
      '}',
    ];
    const input = [
      `variable "${setting}" {`,
      `  description = "Value of ${settingWords(spot.name)} that ${ownName(spot.address)} is set up with."`,
      `  type        = ${spot.type}`,
      `  default     = ${isGiven ? spot.secure : spot.insecure}`,
      '}',
    ];
    const output = [`output "${setting}" {`, `  value = var.${setting}`, '}'];
    const added = (name: string, lines: string[]) => appendTo(project, `${folder}/${name}`, lines.join('\n'));
    return {
      edits: [
        ...spot.write(`module.${module}.${setting}`),
        { file: found.source.file, edits: insertBlock(found.source, null, call.join('\n')) },
        added('variables.tf', input),
        added('outputs.tf', output),
      ],
    };
  },
};
