import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Draft } from './draft.ts';

/**
 * Several resources that are a flaw together, or harmless together. Both forms have the same resources and the same
 * values: what differs is which value is where, so that only their relation tells them apart.
 */
export interface Arrangement {
  /** The id of the weakness that its weak form has. */
  weakness: string;
  /** Both if it is absent. */
  language?: CodeLanguage;
  /** Resources of the template that it is about; without one, it cannot be used. */
  needs?: 'asset' | 'logGroup' | 'backedUp';
  /** Who calls it a flaw. */
  calledBy: readonly string[];
  /** One sentence for the manifest. */
  says: string;
  write(draft: Draft): void;
}
