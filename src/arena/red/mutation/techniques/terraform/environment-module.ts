import { writtenBlock } from '../../../../../iac/read/written-code.ts';
import { appendTo, blockDeclaration } from '../code-parts.ts';
import { isConstant } from '../constants.ts';
import { otherEnvironment } from '../environment.ts';
import { tableName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { objectCode, settingsTable } from './settings-table.ts';
import { variableCode } from './terraform-declarations.ts';
import { environmentOf } from './terraform-environment.ts';

/** A local module has a table of settings by environment, and returns those of the environment that it is given. */
export const environmentModule: Technique = {
  id: 'environment_module',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, spot, choice } = place;
    const found = spot && writtenBlock(project, spot.address);
    if (!spot || !found || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
    const table = settingsTable(place, spot);
    if (!table) return null;
    const module = tableName(place, spot.address, KINDS);
    const folder = `modules/${module.replaceAll('_', '-')}`;
    const { reference, standard, edits } = environmentOf(project);
    const another = otherEnvironment(standard, choice);
    const isFirst = choice.between(0, 1) === 0;
    const declared = blockDeclaration(choice, found.source);
    const call = `module "${module}" {\n  source = "./${folder}"\n\n  environment = ${reference}\n}`;
    const input = variableCode({
      name: 'environment',
      description: 'Deployment stage.',
      type: 'string',
      standard: null,
    });
    const outputs = table.names.map((name) => `output "${name}" {\n  value = local.stages[var.environment].${name}\n}`);
    const used = table.write((name) => `module.${module}.${name}`);
    const forms = inBothForms(spot, (value) => {
      const [own, other] = table.rows(value);
      const rows = [[standard, objectCode(own)] as const, [another, objectCode(other)] as const];
      const stages = objectCode(isFirst ? rows : rows.toReversed());
      return {
        edits: [
          ...used,
          declared(call),
          ...edits,
          appendTo(project, `${folder}/main.tf`, `locals {\n  stages = ${stages.replaceAll('\n', '\n  ')}\n}`),
          appendTo(project, `${folder}/variables.tf`, input),
          appendTo(project, `${folder}/outputs.tf`, outputs.join('\n\n')),
        ],
      };
    });
    const carriers = [
      { address: `module.${module}` },
      { address: 'local.stages', file: `${folder}/main.tf` },
      { address: `output.${spot.name}`, file: `${folder}/outputs.tf` },
    ];
    return forms && { ...forms, carriers };
  },
};

const KINDS = ['settings', 'options', 'configuration', 'inputs'] as const;
