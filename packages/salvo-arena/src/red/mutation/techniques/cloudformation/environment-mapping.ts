import { otherEnvironment } from '../environment.ts';
import { inBothForms, type Technique } from '../technique.ts';
import { mappingTable } from './mapping-table.ts';
import { templateEnvironment } from './template-environment.ts';

/** The resource looks up the value by environment, in a mapping with a row for each. */
export const environmentMapping: Technique = {
  id: 'environment_mapping',
  language: 'cloudformation',
  difficulty: 'medium',
  weight: 3,
  hide: (place) => {
    const { project, spot, choice } = place;
    const source = project.files.find(({ file }) => file === spot?.file);
    const environment = source && templateEnvironment(place, source);
    if (!spot?.safe || !environment || !/^[\w-]+$/.test(environment.standard)) return null;
    const { parameter, standard, entries } = environment;
    const table = mappingTable(place, spot, [`By${parameter}`, `${parameter}s`, `Per${parameter}`]);
    if (!table) return null;
    const rows = [standard, otherEnvironment(standard, choice)];
    const edits = table.write((key) => `!FindInMap [${table.name}, !Ref ${parameter}, ${key}]`);
    const forms = inBothForms(spot, (value) => ({ edits, entries: [...entries, table.entry(rows, value)] }));
    return forms && { ...forms, carriers: [{ address: table.name }] };
  },
};
