import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { appendTo, blockDeclaration } from '../code-parts.ts';
import { isConstant } from '../constants.ts';
import { otherEnvironment } from '../environment.ts';
import { tableName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { objectCode, settingsTable } from './settings-table.ts';
import { environmentOf } from './terraform-environment.ts';

/** A local module has a table of settings by environment, of which the resource takes those of its environment. */
export const environmentModule: Technique = {
  id: 'environment_module',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, spot, choice } = place;
    const found = spot && writtenBlock(project, spot.address);
    if (!spot || !found || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
    const table = settingsTable(place, spot);
    const environment = environmentOf(project);
    if (!table || !environment) return null;
    const module = tableName(place, spot.address, KINDS);
    const folder = `modules/${module.replaceAll('_', '-')}`;
    const { reference, standard } = environment;
    const another = otherEnvironment(standard, choice);
    const isFirst = choice.between(0, 1) === 0;
    const declared = blockDeclaration(choice, found.source);
    const call = `module "${module}" {\n  source = "./${folder}"\n}`;
    const output = 'output "stages" {\n  value = local.stages\n}';
    const used = table.write((name) => `module.${module}.stages[${reference}].${name}`);
    const forms = inBothForms(spot, (value) => {
      const [own, other] = table.rows(value);
      const rows = [[standard, objectCode(own)] as const, [another, objectCode(other)] as const];
      const stages = objectCode(isFirst ? rows : rows.toReversed());
      return {
        edits: [
          ...used,
          declared(call),
          appendTo(project, `${folder}/main.tf`, `locals {\n  stages = ${stages.replaceAll('\n', '\n  ')}\n}`),
          appendTo(project, `${folder}/outputs.tf`, output),
        ],
      };
    });
    const carriers = [
      { address: `module.${module}` },
      { address: 'local.stages', file: `${folder}/main.tf` },
      { address: 'output.stages', file: `${folder}/outputs.tf` },
    ];
    return forms && { ...forms, carriers };
  },
};

const KINDS = ['settings', 'options', 'configuration', 'inputs'] as const;
