import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { otherEnvironment } from '../environment.ts';
import { tableName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { objectCode, settingsTable } from './settings-table.ts';
import { localDeclaration } from './terraform-declarations.ts';
import { environmentOf } from './terraform-environment.ts';
import { throughVariable } from './through-variable.ts';

/** The settings of every environment are in a list, from which an expression picks those of this environment. */
export const computedValue: Technique = {
  id: 'computed_value',
  language: 'terraform',
  difficulty: 'hard',
  hide: (place) => {
    const { project, spot, choice } = place;
    const found = spot && writtenBlock(project, spot.address);
    const table = spot && settingsTable(place, spot);
    const environment = environmentOf(project);
    if (!found || !table || !environment) return null;
    const name = tableName(place, spot.address, ['stages', 'environments', 'variants', 'tiers']);
    const declared = localDeclaration(place, found.source, found.block, name);
    const { reference, standard } = environment;
    const isFirst = choice.between(0, 1) === 0;
    const another = otherEnvironment(standard, choice);
    const through = throughVariable(place, spot);
    const used = table.write(
      (setting) => `one([for one in local.${name} : one.${setting} if one.stage == ${reference}])`,
    );
    const forms = inBothForms(spot, (value) => {
      const { code, edits: declaration } = through.value(value);
      const [own, other] = table.rows(code);
      const rows = [
        objectCode([['stage', JSON.stringify(standard)], ...own]),
        objectCode([['stage', JSON.stringify(another)], ...other]),
      ];
      const list = (isFirst ? rows : rows.toReversed()).map((row) => `  ${row.replaceAll('\n', '\n  ')},`);
      return { edits: [...used, declared(`[\n${list.join('\n')}\n]`), ...declaration] };
    });
    return forms && { ...forms, carriers: [{ address: `local.${name}` }, ...through.carriers] };
  },
};
