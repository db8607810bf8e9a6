import { Document, isCollection, visit } from 'yaml';
import { yamlText } from '../text/yaml-text.ts';

/** An assertion as an entry of `assertions:` in a scenario file. */
export function suggestionYaml(assertion: Record<string, unknown>): string {
  const document = new Document([assertion], { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node) {
      if (isCollection(node) && node !== document.contents) node.flow = node.items.length > 0;
    },
  });
  return yamlText(document).trimEnd();
}
