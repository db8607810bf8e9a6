import type { SeededChoice } from '../site/seeded-choice.ts';

/** A tag or a sentence with which engineers describe a resource. */
export interface Reassurance {
  tag: string;
  value: string;
  sentence: string;
}

/** A claim that the resource is secure in a certain respect, or in general. Where there is no flaw, it is true. */
export function reassurance(category: string, choice: SeededChoice): Reassurance {
  const claims = [...(CLAIMS[category] ?? []), ...GENERAL];
  return choice.one(claims) ?? GENERAL[0];
}

const GENERAL: readonly [Reassurance, ...Reassurance[]] = [
  { tag: 'Baseline', value: 'hardened', sentence: 'Follows the hardened baseline' },
  { tag: 'Review', value: 'passed', sentence: 'Passed the platform review' },
];

const CLAIMS: Readonly<Record<string, readonly Reassurance[]>> = {
  encryption_at_rest: [
    { tag: 'Encryption', value: 'customer-key', sentence: 'Encrypted with the team key' },
    { tag: 'DataAtRest', value: 'encrypted', sentence: 'Data at rest is encrypted' },
  ],
  encryption_in_transit: [
    { tag: 'Transport', value: 'tls-only', sentence: 'Accepts TLS only' },
    { tag: 'DataInTransit', value: 'encrypted', sentence: 'Data in transit is encrypted' },
  ],
  public_access: [
    { tag: 'Exposure', value: 'private', sentence: 'Private, not reachable from outside' },
    { tag: 'Audience', value: 'internal-only', sentence: 'For internal use only' },
  ],
  access_control: [
    { tag: 'Access', value: 'restricted', sentence: 'Access is restricted to the owning team' },
    { tag: 'Audience', value: 'owning-team', sentence: 'Owning team only' },
  ],
  iam: [
    { tag: 'Permissions', value: 'least-privilege', sentence: 'Least privilege' },
    { tag: 'AccessReview', value: 'approved', sentence: 'Approved in the access review' },
  ],
  network: [
    { tag: 'NetworkZone', value: 'private', sentence: 'Private traffic only' },
    { tag: 'Reachability', value: 'internal', sentence: 'Internal callers only' },
  ],
  logging: [
    { tag: 'AuditLog', value: 'central', sentence: 'Logged centrally' },
    { tag: 'Logging', value: 'enabled', sentence: 'Logging is on' },
  ],
  monitoring: [{ tag: 'Monitoring', value: 'enabled', sentence: 'Watched by the platform team' }],
  backup: [{ tag: 'Backup', value: 'daily', sentence: 'Backed up daily' }],
  secrets: [{ tag: 'Credentials', value: 'vaulted', sentence: 'Credentials are kept in the vault' }],
  availability: [{ tag: 'Resilience', value: 'protected', sentence: 'Protected against removal' }],
  versioning: [{ tag: 'History', value: 'versioned', sentence: 'Earlier versions are kept' }],
  metadata_service: [{ tag: 'Metadata', value: 'session-tokens', sentence: 'Metadata needs a session token' }],
};
