/** What scanners call the categories that have a word of ours. */
const OUR_WORDS: Record<string, string> = {
  networking: 'network',
  networking_and_firewall: 'network',
  network_security: 'network',
  network_ports_security: 'network',
  observability: 'logging',
  logging_and_monitoring: 'logging',
  secret_management: 'secret',
  secrets: 'secret',
  identity_and_access_management: 'iam',
  encryption_and_key_management: 'encryption',
  encryption_keymanagement: 'encryption',
};

/** Says only that it is about security, which everything here is. */
const SAYS_NOTHING = new Set([
  'security',
  'infrastructure_security',
  'security_best_practices',
  'best_practices',
  'compliance_validation',
  'insecure_configurations',
  'insecure_defaults',
  'general',
  'misconfiguration',
  'vulnerability',
]);

/** A scanner's category as the type of a finding: `Networking and Firewall` is `network`; empty when it says nothing. */
export function categoryWord(category: string | undefined): string {
  const word = (category ?? '')
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (SAYS_NOTHING.has(word)) return '';
  return (Object.hasOwn(OUR_WORDS, word) ? OUR_WORDS[word] : undefined) ?? word;
}
