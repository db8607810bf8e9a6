import { harmlessJson } from '../../text/output/plain-text.ts';

/**
 * The documents that commands print with `--json`, and the version of each. A version rises when a program that reads the
 * document would have to change: a field was removed, renamed or means something else. A new field is no new version.
 */
export const DOCUMENT_VERSIONS = {
  run: 1,
  chaos: 1,
  compare: 1,
  history: 1,
  estimate: 1,
  plan: 1,
  reeval: 1,
  mutate: 1,
  import: 1,
  migrate: 1,
  trace: 1,
  calibrate: 1,
  'calibrate-forget': 1,
  'calibrate-judges': 1,
  'calibrate-pairs': 1,
  'calibrate-cascade': 1,
  'judge-check': 1,
  rank: 1,
  adapters: 1,
  validate: 1,
  'db-status': 1,
  'db-migrate': 1,
  'db-import': 1,
  'db-prune': 1,
} as const;

export type DocumentKind = keyof typeof DOCUMENT_VERSIONS;

export function isDocumentKind(name: string): name is DocumentKind {
  return Object.hasOwn(DOCUMENT_VERSIONS, name);
}

/** The kind of a document that a package prints, with its version. */
export interface OtherKind {
  name: string;
  version: number;
}

/** A document as it is printed and written to files, its version first. `salvo schema` describes it. */
export function documentJson(kind: DocumentKind | OtherKind, document: object): string {
  const version = typeof kind === 'string' ? DOCUMENT_VERSIONS[kind] : kind.version;
  return `${harmlessJson({ version, ...document }, 2)}\n`;
}
