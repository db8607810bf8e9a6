import type { Finding } from '../match/claims/finding.ts';
import type { Weakness } from '../match/weaknesses/weakness.ts';
import { weaknessById, weaknessesOfRule } from '../match/weaknesses/weaknesses.ts';

/** For alarms that say nothing about their category. */
export const UNCLASSIFIED = 'unclassified';

/** The first that fits: "logs are encrypted" is about encryption. */
const WORDS: readonly [RegExp, Weakness['category']][] = [
  [/\b(?:tls|ssl|https|certificates?)\b|in.transit/, 'encryption_in_transit'],
  [/encrypt|\bkms\b|\bcmk\b/, 'encryption_at_rest'],
  [/\blog(?:s|ging|ged)?\b|audit|trail/, 'logging'],
  [/monitor|alarm|metric|tracing/, 'monitoring'],
  [/public/, 'public_access'],
  [/backup|recovery|retention|snapshot/, 'backup'],
  [/version/, 'versioning'],
  [/imds|metadata/, 'metadata_service'],
  [/secret|password|credential/, 'secrets'],
  [/availability|failover|redundan|dead.?letter|\bdlq\b/, 'availability'],
  [/security.group|ingress|egress|\bports?\b|\bvpc\b|subnet|network|cidr/, 'network'],
  [/\biam\b|\broles?\b|polic(?:y|ies)\b|privilege|permission|principal/, 'iam'],
];

/** The category of the weakness that the finding's rule reports; for an unknown rule, by the words of its title. */
export function alarmCategory({ rule_id, rule_ids, type, title }: Finding): string {
  const [weakness] = [rule_id ?? [], rule_ids ?? []].flat().flatMap(weaknessesOfRule);
  const known = weakness === undefined ? undefined : weaknessById(weakness)?.category;
  const text = `${type ?? ''} ${rule_id ?? ''} ${title ?? ''}`.slice(0, 1000).toLowerCase().replaceAll('_', ' ');
  return known ?? WORDS.find(([words]) => words.test(text))?.[1] ?? UNCLASSIFIED;
}
