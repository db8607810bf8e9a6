import { isRecord } from 'salvo/kit/text';
import { categoryWord } from '../category-word.ts';
import { asList, asRecord, asText, asTexts, firstText, type Loose } from '../loose-value.ts';
import { cweIds } from '../rule-ids.ts';

export type SarifRules = ReturnType<typeof sarifRules>;

/**
 * Finds the rules of the results of a run, of the tool itself and of its extensions, by index or by id; with the tool
 * or the extension that describes it.
 */
export function sarifRules(run: Loose) {
  const tool = asRecord(run.tool);
  const components = [asRecord(tool.driver), ...asList(tool.extensions).map(asRecord)];
  const byId = new Map<string, { rule: Loose; component: Loose }>();
  for (const component of components) {
    for (const rule of asList(component.rules).filter(isRecord)) {
      const id = asText(rule.id);
      if (id !== undefined && !byId.has(id)) byId.set(id, { rule, component });
    }
  }
  const taxa = taxonNames(run);
  return (result: Loose) => {
    const reference = asRecord(result.rule);
    const id = firstText(result.ruleId, reference.id);
    const { rule, component } = byIndex(components, result, id) ??
      byId.get(id ?? '') ??
      // The id of a result may extend the id of its rule: `CA1000/1`.
      byId.get((id ?? '').split('/')[0] ?? '') ?? { rule: {}, component: asRecord(tool.driver) };
    const properties = asRecord(rule.properties);
    const named = namedCategories(rule, result, taxa);
    return {
      rule,
      component,
      id: id ?? asText(rule.id),
      name: asText(rule.name),
      furtherIds: [
        ...asTexts(rule.deprecatedIds),
        ...cweIds(...asTexts(properties.cwe), ...asTexts(properties.tags).filter((tag) => /cwe/i.test(tag)), named.cwe),
      ],
      category: categoryWord(firstText(properties.category, asRecord(result.properties).category, named.category)),
    };
  };
}

/** An index may be wrong, for instance in merged runs, so it counts only if the rule there has the result's id. */
function byIndex(components: readonly Loose[], result: Loose, id: string | undefined) {
  const reference = asRecord(result.rule);
  const index = reference.index ?? result.ruleIndex;
  if (typeof index !== 'number') return undefined;
  const extension = asRecord(reference.toolComponent).index;
  const component = components[typeof extension === 'number' ? extension + 1 : 0];
  const rule = asList(component?.rules)[index];
  if (!component || !isRecord(rule) || (id !== undefined && asText(rule.id) !== id)) return undefined;
  return { rule, component };
}

/** The names of all taxa by the name of their taxonomy and their id. KICS keeps its categories there. */
function taxonNames(run: Loose): Map<string, string> {
  const names = new Map<string, string>();
  for (const taxonomy of asList(run.taxonomies).map(asRecord)) {
    for (const taxon of asList(taxonomy.taxa).map(asRecord)) {
      names.set(`${asText(taxonomy.name)}/${asText(taxon.id)}`, firstText(taxon.name, taxon.id) ?? '');
    }
  }
  return names;
}

function namedCategories(rule: Loose, result: Loose, taxa: ReadonlyMap<string, string>) {
  const cwe: string[] = [];
  let category: string | undefined;
  const targets = [...asList(rule.relationships).map((relation) => asRecord(relation).target), ...asList(result.taxa)];
  for (const target of targets.map(asRecord)) {
    const id = asText(target.id) ?? '';
    const taxonomy = asText(asRecord(target.toolComponent).name) ?? '';
    if (/^cwe$/i.test(taxonomy)) cwe.push(id);
    else if (/categor/i.test(taxonomy)) category ??= taxa.get(`${taxonomy}/${id}`);
  }
  return { cwe, category };
}
