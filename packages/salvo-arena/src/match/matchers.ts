import type { CreateMatcher, MatcherName } from './candidates/matcher.ts';
import { createDocumentedMatcher } from './documented/documented-matcher.ts';
import { createEvidenceMatcher } from './evidence/evidence-matcher.ts';

export const MATCHERS: Record<MatcherName, CreateMatcher> = {
  documented: createDocumentedMatcher,
  evidence: createEvidenceMatcher,
};
