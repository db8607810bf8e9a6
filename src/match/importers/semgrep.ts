import { isRecord } from '../../text/is-record.ts';
import type { Finding } from '../claims/finding.ts';
import { categoryWord } from './category-word.ts';
import type { Importer } from './findings-format.ts';
import { importedFinding } from './imported-finding.ts';
import { firstText, type Loose, lineOf, recordOf, recordsOf, textOf, textsOf } from './loose-value.ts';
import { cweIds } from './rule-ids.ts';

const LONGEST_EVIDENCE = 1000;

/** `semgrep --json`, and Opengrep's, which is the same. A clean run is recognised by its `errors` and `paths`. */
export const semgrep: Importer = {
  format: 'semgrep',
  name: "Semgrep's JSON report",
  recognises(report) {
    const { results, errors, paths } = recordOf(report);
    if (!Array.isArray(results)) return false;
    if (results.length === 0) return Array.isArray(errors) && isRecord(paths);
    return results.every((result) => isRecord(result) && typeof result.check_id === 'string' && 'path' in result);
  },
  findings(report) {
    return recordsOf(recordOf(report).results, 'results')
      .filter((result) => recordOf(result.extra).is_ignored !== true)
      .map(findingOf);
  },
};

function findingOf(result: Loose): Finding {
  const extra = recordOf(result.extra);
  const metadata = recordOf(extra.metadata);
  const id = textOf(result.check_id);
  const name = id?.split('.').at(-1);
  return importedFinding({
    source: 'semgrep',
    type: categoryWord(textsOf(metadata.vulnerability_class)[0]) || categoryWord(textOf(metadata.category)),
    ruleId: id,
    // The full id begins with the path of the rule's file, which differs between machines.
    ruleIds: [name, ...cweIds(...textsOf(metadata.cwe))],
    title: firstText(metadata.shortDescription, name?.replaceAll('-', ' '), extra.message),
    description: textOf(extra.message),
    evidence: evidenceOf(extra.lines),
    severity: textOf(extra.severity),
    file: textOf(result.path),
    line: lineOf(recordOf(result.start).line),
    endLine: lineOf(recordOf(result.end).line),
    remediation: firstText(extra.fix, metadata.fix),
  });
}

/** Without a login, Semgrep writes `requires login` instead of the lines. */
function evidenceOf(value: unknown): string | undefined {
  const lines = textOf(value);
  return lines === 'requires login' ? undefined : lines?.slice(0, LONGEST_EVIDENCE);
}
