import { isRecord } from '../../../text/is-record.ts';
import { categoryWord } from '../category-word.ts';
import { firstText, type Loose, listOf, recordOf, textOf, textsOf } from '../loose-value.ts';
import { cweIds } from '../rule-ids.ts';

/** The rule of a result, with what is known about it. */
interface SarifRule {
  /** Its description; an empty object when the log does not describe the rule. */
  rule: Loose;
  /** The tool or the extension that describes it. */
  component: Loose;
  id: string | undefined;
  name: string | undefined;
  furtherIds: string[];
  category: string;
}

export interface SarifRules {
  of(result: Loose): SarifRule;
}

/** Finds the rules of a run, of the tool itself and of its extensions, by index or by id. */
export function sarifRules(run: Loose): SarifRules {
  const tool = recordOf(run.tool);
  const components = [recordOf(tool.driver), ...listOf(tool.extensions).map(recordOf)];
  const byId = new Map<string, { rule: Loose; component: Loose }>();
  for (const component of components) {
    for (const rule of listOf(component.rules).filter(isRecord)) {
      const id = textOf(rule.id);
      if (id !== undefined && !byId.has(id)) byId.set(id, { rule, component });
    }
  }
  const taxa = taxaOf(run);
  return {
    of(result) {
      const reference = recordOf(result.rule);
      const id = firstText(result.ruleId, reference.id);
      const { rule, component } = byIndex(components, result, id) ??
        byId.get(id ?? '') ??
        // The id of a result may extend the id of its rule: `CA1000/1`.
        byId.get((id ?? '').split('/')[0] ?? '') ?? { rule: {}, component: recordOf(tool.driver) };
      const properties = recordOf(rule.properties);
      const named = categoriesOf(rule, result, taxa);
      return {
        rule,
        component,
        id: id ?? textOf(rule.id),
        name: textOf(rule.name),
        furtherIds: [
          ...textsOf(rule.deprecatedIds),
          ...cweIds(
            ...textsOf(properties.cwe),
            ...textsOf(properties.tags).filter((tag) => /cwe/i.test(tag)),
            named.cwe,
          ),
        ],
        category: categoryWord(firstText(properties.category, recordOf(result.properties).category, named.category)),
      };
    },
  };
}

/** An index may be wrong, for instance in merged runs, so it counts only if the rule there has the result's id. */
function byIndex(components: readonly Loose[], result: Loose, id: string | undefined) {
  const reference = recordOf(result.rule);
  const index = reference.index ?? result.ruleIndex;
  if (typeof index !== 'number') return undefined;
  const extension = recordOf(reference.toolComponent).index;
  const component = components[typeof extension === 'number' ? extension + 1 : 0];
  const rule = listOf(component?.rules)[index];
  if (!component || !isRecord(rule) || (id !== undefined && textOf(rule.id) !== id)) return undefined;
  return { rule, component };
}

/** The names of all taxa by the name of their taxonomy and their id. KICS keeps its categories there. */
function taxaOf(run: Loose): Map<string, string> {
  const names = new Map<string, string>();
  for (const taxonomy of listOf(run.taxonomies).map(recordOf)) {
    for (const taxon of listOf(taxonomy.taxa).map(recordOf)) {
      names.set(`${textOf(taxonomy.name)}/${textOf(taxon.id)}`, firstText(taxon.name, taxon.id) ?? '');
    }
  }
  return names;
}

function categoriesOf(rule: Loose, result: Loose, taxa: ReadonlyMap<string, string>) {
  const cwe: string[] = [];
  let category: string | undefined;
  const targets = [...listOf(rule.relationships).map((relation) => recordOf(relation).target), ...listOf(result.taxa)];
  for (const target of targets.map(recordOf)) {
    const id = textOf(target.id) ?? '';
    const taxonomy = textOf(recordOf(target.toolComponent).name) ?? '';
    if (/^cwe$/i.test(taxonomy)) cwe.push(id);
    else if (/categor/i.test(taxonomy)) category ??= taxa.get(`${taxonomy}/${id}`);
  }
  return { cwe, category };
}
