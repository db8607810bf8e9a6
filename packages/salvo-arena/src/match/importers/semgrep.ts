import { isRecord } from 'salvo/kit/text';
import type { Finding } from '../claims/finding.ts';
import { categoryWord } from './category-word.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { asLine, asRecord, asText, asTexts, firstText, type Loose, recordsAt } from './loose-value.ts';
import { cweIds } from './rule-ids.ts';

const LONGEST_EVIDENCE = 1000;

/** `semgrep --json`, and Opengrep's, which is the same. A clean run is recognised by its `errors` and `paths`. */
export const semgrep: Importer = {
  format: 'semgrep',
  name: "Semgrep's JSON report",
  recognises(report) {
    const { results, errors, paths } = asRecord(report);
    if (!Array.isArray(results)) return false;
    if (results.length === 0) return Array.isArray(errors) && isRecord(paths);
    return results.every((result) => isRecord(result) && typeof result.check_id === 'string' && 'path' in result);
  },
  findings(report) {
    return recordsAt(asRecord(report).results, 'results')
      .filter((result) => asRecord(result.extra).is_ignored !== true)
      .map(toFinding);
  },
};

function toFinding(result: Loose): Finding {
  const extra = asRecord(result.extra);
  const metadata = asRecord(extra.metadata);
  const id = asText(result.check_id);
  const name = id?.split('.').at(-1);
  return importedFinding({
    source: 'semgrep',
    type: categoryWord(asTexts(metadata.vulnerability_class)[0]) || categoryWord(asText(metadata.category)),
    ruleId: id,
    // The full id begins with the path of the rule's file, which differs between machines.
    ruleIds: [name, ...cweIds(...asTexts(metadata.cwe))],
    title: firstText(metadata.shortDescription, name?.replaceAll('-', ' '), extra.message),
    description: asText(extra.message),
    evidence: quotedLines(extra.lines),
    severity: asText(extra.severity),
    file: asText(result.path),
    line: asLine(asRecord(result.start).line),
    endLine: asLine(asRecord(result.end).line),
    remediation: firstText(extra.fix, metadata.fix),
  });
}

/** Without a login, Semgrep writes `requires login` instead of the lines. */
function quotedLines(value: unknown): string | undefined {
  const lines = asText(value);
  return lines === 'requires login' ? undefined : lines?.slice(0, LONGEST_EVIDENCE);
}
