import { inBothForms, type Technique } from '../technique.ts';
import { mappingTable } from './mapping-table.ts';

/** The resource looks up the value in a mapping. */
export const mappingValue: Technique = {
  id: 'mapping_value',
  language: 'cloudformation',
  difficulty: 'medium',
  hide: (place) => {
    const { spot, choice } = place;
    const table = spot && mappingTable(place, spot, ['Settings', 'Options', 'Configuration']);
    if (!table) return null;
    const row = choice.one(['Standard', 'Common', 'Values']) ?? 'Standard';
    const edits = table.write((key) => `!FindInMap [${table.name}, ${row}, ${key}]`);
    const forms = inBothForms(spot, (value) => ({ edits, entries: [table.entry([row], value)] }));
    return forms && { ...forms, carriers: [{ address: table.name }] };
  },
};
