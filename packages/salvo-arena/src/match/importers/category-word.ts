/** Names that scanners use for categories that Salvo names otherwise. */
const SALVO_NAMES: Record<string, string> = {
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

/** Categories that only say "security", which applies to every finding. */
const MEANINGLESS = new Set([
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

/** A scanner's category as the type of a finding: `Networking and Firewall` is `network`. Empty when meaningless. */
export function categoryWord(category: string | undefined): string {
  const word = (category ?? '')
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (MEANINGLESS.has(word)) return '';
  return (Object.hasOwn(SALVO_NAMES, word) ? SALVO_NAMES[word] : undefined) ?? word;
}
