import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { categoryWord } from './category-word.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asRecord, asText, firstText, type Loose, recordsAt } from './loose-value.ts';

/** `terrascan scan -o json`. Violations that were skipped on purpose are in a list of their own. */
export const terrascan: Importer = {
  format: 'terrascan',
  name: "Terrascan's JSON report",
  recognises(report) {
    const { results } = asRecord(report);
    return isRecord(results) && ('violations' in results || 'scan_summary' in results);
  },
  findings(report) {
    const { violations } = asRecord(asRecord(report).results);
    return recordsAt(violations, 'results.violations').map(toFinding);
  },
};

function toFinding(violation: Loose): Finding {
  const id = firstText(violation.rule_id, violation.rule_name);
  return importedFinding({
    source: 'terrascan',
    type: categoryWord(asText(violation.category)),
    ruleId: id,
    ruleIds: [asText(violation.rule_name), asText(violation.rule_reference_id)],
    title: firstText(violation.description, violation.rule_name, id),
    severity: asText(violation.severity),
    resource: resourceAddress(violation),
    file: asText(violation.file),
    line: asLine(violation.line),
  });
}

/** The name is usually the block's second label, but some versions write the whole address. */
function resourceAddress(violation: Loose): string | undefined {
  const type = asText(violation.resource_type);
  const name = asText(violation.resource_name);
  if (name === undefined || type === undefined || name.includes(`${type}.`)) return name;
  const module = asText(violation.module_name);
  const prefix = module === undefined || module === 'root' ? '' : `module.${module}.`;
  return `${prefix}${type}.${name}`;
}
