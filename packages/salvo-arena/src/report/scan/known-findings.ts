import { SalvoError } from 'salvo/kit/text';
import { z } from 'zod';
import type { Finding } from '../../match/claims/finding.ts';
import { resourceNames } from '../score/describe-claim.ts';
import { createFingerprints, ruleOf } from './finding-fingerprints.ts';

/** Findings that a team knows of: a scan reports only others. Only `id` counts; the rest is for readers. */
const knownFindingsSchema = z.object({
  version: z.literal(1),
  findings: z.array(
    z.object({ id: z.string(), rule: z.string(), resource: z.string(), file: z.string(), title: z.string() }),
  ),
});

/** The text of a file with these findings, sorted so that a change of one of them changes a few lines. */
export function knownFindingsText(findings: readonly Finding[]): string {
  const fingerprint = createFingerprints();
  const entries = findings.map((finding) => ({
    id: fingerprint(finding),
    rule: ruleOf(finding),
    resource: resourceNames(finding),
    file: finding.file ?? '',
    title: finding.title ?? '',
  }));
  const sorted = entries.sort((a, b) => {
    const [one, other] = [a, b].map(({ file, rule, resource, id }) => [file, rule, resource, id].join('\n'));
    return (one ?? '') < (other ?? '') ? -1 : 1;
  });
  return `${JSON.stringify({ version: 1, findings: sorted }, null, 2)}\n`;
}

/** The ids in such a file. Throws when it is none. */
export function readKnownFindings(name: string, text: string): ReadonlySet<string> {
  const refused = (reason: string) =>
    new SalvoError(
      'FILE_INVALID',
      `${name} is no file of known findings: ${reason}. \`salvo scan --write-known ${name}\` writes one.`,
    );
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw refused('it is not JSON');
  }
  const parsed = knownFindingsSchema.safeParse(document);
  if (parsed.success) return new Set(parsed.data.findings.map(({ id }) => id));
  const [issue] = parsed.error.issues;
  throw refused(`${issue?.path.join('.') || 'the document'}: ${issue?.message ?? 'invalid'}`);
}

/** The findings that are not known, and how many entries of the list were not found any more. */
export function withoutKnown(findings: readonly Finding[], known: ReadonlySet<string>) {
  const fingerprint = createFingerprints();
  const left = new Set(known);
  const fresh = findings.filter((finding) => !left.delete(fingerprint(finding)));
  return { findings: fresh, known: findings.length - fresh.length, gone: left.size };
}
