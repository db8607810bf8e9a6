import { JudgeError } from '../claims/judge-error.ts';
import { addressKey, parseAddress, sameAddress } from '../claims/resource-address.ts';
import type { OutsideEvidence } from './score-results.ts';

type CleanResourceMetrics = Pick<OutsideEvidence, 'trueNegatives' | 'falsePositiveRate' | 'youdenJ'>;

export const NO_CLEAN_RESOURCES: CleanResourceMetrics = { trueNegatives: null, falsePositiveRate: null, youdenJ: null };

/**
 * How Blue did on resources that are known to be clean, where every finding is wrong. `alarms` are the resources of
 * each false alarm. `recall` is null when there was nothing to find.
 */
export function cleanResourceMetrics(
  cleanResources: readonly string[],
  { alarms, recall }: { alarms: readonly (readonly string[])[]; recall: number | null },
): CleanResourceMetrics {
  if (!Array.isArray(cleanResources) || cleanResources.some((each) => typeof each !== 'string')) {
    throw new JudgeError(
      'OPTIONS_INVALID',
      'cleanResources: give a list of addresses, such as ["aws_s3_bucket.logs", "aws_kms_key.main"].',
    );
  }
  const clean = [...new Set(cleanResources)];
  if (clean.length === 0) return NO_CLEAN_RESOURCES;
  const alarmed = Map.groupBy([...new Set(alarms.flat())].map(parseAddress), addressKey);
  const flagged = clean.map(parseAddress).filter((resource) => {
    return alarmed.get(addressKey(resource))?.some((other) => sameAddress(resource, other)) ?? false;
  }).length;
  const falsePositiveRate = flagged / clean.length;
  return {
    trueNegatives: clean.length - flagged,
    falsePositiveRate,
    youdenJ: recall === null ? null : recall - falsePositiveRate,
  };
}
