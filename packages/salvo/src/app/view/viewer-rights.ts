/** What a viewer can be allowed besides looking: resume and stop runs, give labels, write scenarios, delete runs. */
export const VIEWER_RIGHTS = ['run', 'label', 'write', 'delete'] as const;
export type ViewerRight = (typeof VIEWER_RIGHTS)[number];

export interface RightsRequest {
  /** Where it listens. */
  host: string;
  /** Further names by which it is called: by a proxy, for other people. */
  allowedHosts: readonly string[];
  readOnly: boolean;
  /** Added to what it allows otherwise. */
  allow: readonly ViewerRight[];
}

/** Whoever sits at this machine may do everything. Whoever comes from elsewhere may look, unless more is allowed. */
export function viewerRights({ host, allowedHosts, readOnly, allow }: RightsRequest): ViewerRight[] {
  const isOpen = !readOnly && [host, ...allowedHosts].every(isThisMachine);
  return VIEWER_RIGHTS.filter((right) => isOpen || allow.includes(right));
}

/** Only programs on this machine can connect. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

const WORDS: Record<ViewerRight, string> = {
  run: 'resume and stop runs',
  label: 'give labels',
  write: 'write scenario files',
  delete: 'delete runs',
};

/** What somebody can do with a link, for the terminal. */
export function rightsSentence(rights: readonly ViewerRight[]): string {
  if (rights.length === 0)
    return 'see all results, and change nothing (`salvo view --allow run,label,write,delete` adds rights)';
  return ['see all results', ...rights.map((right) => WORDS[right])].join(', ').replace(/, ([^,]*)$/, ' and $1');
}
