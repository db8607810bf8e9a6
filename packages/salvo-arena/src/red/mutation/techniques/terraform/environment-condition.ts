import { writtenBlock } from '../../../../iac/read/written-code.ts';
import { tableName } from '../names.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { objectCode, settingsTable } from './settings-table.ts';
import { localDeclaration } from './terraform-declarations.ts';
import { environmentChoice } from './terraform-environment.ts';

/** The settings of a resource are chosen by environment, and a weak one is among them. */
export const environmentCondition: Technique = {
  id: 'environment_condition',
  language: 'terraform',
  difficulty: 'medium',
  weight: 2,
  hide: (place) => {
    const { project, spot } = place;
    const found = spot && writtenBlock(project, spot.address);
    const table = spot && settingsTable(place, spot);
    const code = environmentChoice(place);
    if (!found || !table || !code) return null;
    const name = tableName(place, spot.address, KINDS);
    const declared = localDeclaration(place, found.source, found.block, name);
    const used = table.write((setting) => `local.${name}.${setting}`);
    const forms = inBothForms(spot, (value) => {
      const [own, other] = table.rows(value).map(objectCode);
      // `terraform fmt` indents the end of the first object this way.
      const chosen = code(own ?? '', other ?? '', true).replace('\n} : {', '\n  } : {');
      return { edits: [...used, declared(chosen)] };
    });
    return forms && { ...forms, carriers: [{ address: `local.${name}` }] };
  },
};

const KINDS = ['profile', 'sizing', 'stage', 'selection'] as const;
