import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import { categoryWord } from './category-word.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { firstText, type Loose, lineOf, recordOf, recordsOf, textOf } from './loose-value.ts';

/** `terrascan scan -o json`. Violations that were skipped on purpose are in a list of their own. */
export const terrascan: Importer = {
  format: 'terrascan',
  name: "Terrascan's JSON report",
  recognises(report) {
    const { results } = recordOf(report);
    return isRecord(results) && ('violations' in results || 'scan_summary' in results);
  },
  findings(report) {
    const { violations } = recordOf(recordOf(report).results);
    return recordsOf(violations, 'results.violations').map(findingOf);
  },
};

function findingOf(violation: Loose): Finding {
  const id = firstText(violation.rule_id, violation.rule_name);
  return importedFinding({
    source: 'terrascan',
    type: categoryWord(textOf(violation.category)),
    ruleId: id,
    ruleIds: [textOf(violation.rule_name), textOf(violation.rule_reference_id)],
    title: firstText(violation.description, violation.rule_name, id),
    severity: textOf(violation.severity),
    resource: resourceOf(violation),
    file: textOf(violation.file),
    line: lineOf(violation.line),
  });
}

/** The name is usually the block's second label, but some versions write the whole address. */
function resourceOf(violation: Loose): string | undefined {
  const type = textOf(violation.resource_type);
  const name = textOf(violation.resource_name);
  if (name === undefined || type === undefined || name.includes(`${type}.`)) return name;
  const module = textOf(violation.module_name);
  const prefix = module === undefined || module === 'root' ? '' : `module.${module}.`;
  return `${prefix}${type}.${name}`;
}
