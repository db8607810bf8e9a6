import { harmlessJson } from '../../text/output/plain-text.ts';

/**
 * The documents that commands print with `--json`, and the version of each. A version rises when a program that reads the
 * document would have to change: a field was removed, renamed or means something else. A new field is no new version.
 */
export const DOCUMENT_VERSIONS = {
  run: 1,
  compare: 1,
  history: 1,
  estimate: 1,
  plan: 1,
  reeval: 1,
  trace: 1,
  calibrate: 1,
  'calibrate-forget': 1,
  'judge-check': 1,
  adapters: 1,
  validate: 1,
  'db-status': 1,
  'db-migrate': 1,
  'db-import': 1,
  'db-prune': 1,
  score: 1,
  scan: 1,
  red: 1,
  blue: 1,
  game: 1,
  tasks: 1,
  rules: 1,
  tools: 1,
  'experiment-results': 1,
  'experiment-estimate': 1,
  'experiment-list': 1,
  scorecard: 1,
} as const;

export type DocumentKind = keyof typeof DOCUMENT_VERSIONS;

export function isDocumentKind(name: string): name is DocumentKind {
  return Object.hasOwn(DOCUMENT_VERSIONS, name);
}

/** A document as it is printed and written to files, its version first. `salvo schema` describes it. */
export function documentJson(kind: DocumentKind, document: object): string {
  return `${harmlessJson({ version: DOCUMENT_VERSIONS[kind], ...document }, 2)}\n`;
}
