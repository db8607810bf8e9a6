import type { OtherKind } from 'salvo/kit/cli';

/** The documents that commands print with `--json`, and the version of each, which rises as Salvo's own do. */
export const DOCUMENT_VERSIONS = {
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
  'template-use': 1,
} as const;

export type DocumentKind = keyof typeof DOCUMENT_VERSIONS;

export function kindOf(name: DocumentKind): OtherKind {
  return { name, version: DOCUMENT_VERSIONS[name] };
}
