import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { appendTo, blockDeclaration, folderOfPlace } from '../code-parts.ts';
import { isConstant } from '../constants.ts';
import { otherEnvironment } from '../environment.ts';
import { settingDescription, snakeName, tableName } from '../names.ts';
import { type Hidden, type HidingPlace, inBothForms } from '../technique.ts';
import { objectCode, settingsTable } from './settings-table.ts';
import { variableCode } from './terraform-declarations.ts';
import { environmentOf } from './terraform-environment.ts';

/** A local module has a table of settings by environment, of which the resource takes those of its environment. */
export function environmentModule(place: HidingPlace): Hidden | null {
  const { project, spot, choice } = place;
  const found = spot && writtenBlock(project, spot.address);
  if (!spot || !found || !isConstant(spot.type, spot.safe) || !isConstant(spot.type, spot.insecure)) return null;
  const table = settingsTable(place, spot);
  const environment = environmentOf(place);
  if (!table || !environment) return null;
  const module = tableName(place, spot.address, KINDS);
  const folder = `modules/${module.replaceAll('_', '-')}`;
  const inside = folderOfPlace(place) + folder;
  const { reference, standard } = environment;
  const another = otherEnvironment(standard, choice);
  const isFirst = choice.between(0, 1) === 0;
  const declared = blockDeclaration(choice, found.source);
  const call = `module "${module}" {\n  source = "./${folder}"\n}`;
  const output = 'output "stages" {\n  value = local.stages\n}';
  const used = table.write((name) => `module.${module}.stages[${reference}].${name}`);
  const carriers = [
    { address: `module.${module}` },
    { address: 'local.stages', file: `${inside}/main.tf` },
    { address: 'output.stages', file: `${inside}/outputs.tf` },
  ];
  return inBothForms(spot, carriers, (value) => {
    const [own, other] = table.rows(value);
    const rows = [[standard, objectCode(own)] as const, [another, objectCode(other)] as const];
    const stages = objectCode(isFirst ? rows : rows.toReversed());
    return {
      edits: [
        ...used,
        declared(call),
        appendTo(project, `${inside}/main.tf`, `locals {\n  stages = ${stages.replaceAll('\n', '\n  ')}\n}`),
        appendTo(project, `${inside}/outputs.tf`, output),
      ],
    };
  });
}

const KINDS = ['settings', 'options', 'configuration', 'inputs'] as const;

/**
 * The value is the output of a local module, which returns an input: its default, or what the caller sets. An input that
 * the caller sets has no default, since a safe one that differs from the caller's value would show the flaw.
 */
export function moduleInput(place: HidingPlace): Hidden | null {
  const { project, spot, choice } = place;
  const found = spot && writtenBlock(project, spot.address);
  if (!spot || !found || spot.safe === null || spot.safe.includes('\n')) return null;
  const module = tableName(place, spot.address, KINDS);
  const folder = `modules/${module.replaceAll('_', '-')}`;
  const home = folderOfPlace(place) + folder;
  const setting = snakeName('x', spot.name).replace(/^x_/, '');
  const isGiven = !isConstant(spot.type, spot.safe) || choice.between(0, 1) === 0;
  const description = settingDescription(place, spot.address, spot.name);
  const input = (value: string | null) =>
    variableCode({ name: setting, description, type: spot.type, standard: value });
  const declared = blockDeclaration(choice, found.source);
  const output = [`output "${setting}" {`, `  value = var.${setting}`, '}'].join('\n');
  const inside = [
    { address: `var.${setting}`, file: `${home}/variables.tf` },
    { address: `output.${setting}`, file: `${home}/outputs.tf` },
  ];
  return inBothForms(spot, [{ address: `module.${module}` }, ...inside], (value) => {
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
        appendTo(project, `${home}/variables.tf`, input(isGiven ? null : value)),
        appendTo(project, `${home}/outputs.tf`, output),
      ],
    };
  });
}
