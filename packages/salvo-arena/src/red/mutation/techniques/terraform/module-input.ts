import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { appendTo, blockDeclaration } from '../code-parts.ts';
import { isConstant } from '../constants.ts';
import { settingDescription, snakeName, tableName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { variableCode } from './terraform-declarations.ts';

/**
 * The value is the output of a local module, which returns an input: its default, or what the caller sets. An input that
 * the caller sets has no default, since a safe one that differs from the caller's value would show the flaw.
 */
export const moduleInput: Technique = {
  id: 'module_input',
  language: 'terraform',
  difficulty: 'medium',
  weight: 2,
  hide: (place) => {
    const { project, spot, choice } = place;
    const found = spot && writtenBlock(project, spot.address);
    if (!spot || !found || spot.safe === null || spot.safe.includes('\n')) return null;
    const module = tableName(place, spot.address, KINDS);
    const folder = `modules/${module.replaceAll('_', '-')}`;
    const setting = snakeName('x', spot.name).replace(/^x_/, '');
    const isGiven = !isConstant(spot.type, spot.safe) || choice.between(0, 1) === 0;
    const description = settingDescription(place, spot.address, spot.name);
    const input = (value: string | null) =>
      variableCode({ name: setting, description, type: spot.type, standard: value });
    const declared = blockDeclaration(choice, found.source);
    const output = [`output "${setting}" {`, `  value = var.${setting}`, '}'].join('\n');
    const forms = inBothForms(spot, (value) => {
      const call = [
        `module "${module}" {`,
        `  source = "./${folder}"`,
        ...(isGiven ? ['', `  ${setting} = ${value}`] : []),
        '}',
      ];
      return {
        edits: [
          ...spot.write(`module.${module}.${setting}`),
          declared(call.join('\n')),
          appendTo(project, `${folder}/variables.tf`, input(isGiven ? null : value)),
          appendTo(project, `${folder}/outputs.tf`, output),
        ],
      };
    });
    const inside = [
      { address: `var.${setting}`, file: `${folder}/variables.tf` },
      { address: `output.${setting}`, file: `${folder}/outputs.tf` },
    ];
    return forms && { ...forms, carriers: [{ address: `module.${module}` }, ...inside] };
  },
};

const KINDS = ['settings', 'options', 'configuration', 'inputs'] as const;
