import { weaknessById, weaknessesOfRule } from '../weaknesses/weaknesses.ts';

/** More ids than this are not looked up. */
const MOST_RULES = 20;
/** Some rules have a sentence as their id: `aws-s3-enable-bucket-encryption`. */
const SPEAKING_RULE = /^[a-z]{2,30}(?:-[a-z0-9]{1,30}){3,12}$/;

/** What the rules of a claim say in words: the weaknesses that they report, and ids that are sentences. */
export function textsOfRules(ruleIds: readonly string[]): string[] {
  return ruleIds.slice(0, MOST_RULES).flatMap((id) => {
    const titles = weaknessesOfRule(id).flatMap((weakness) => weaknessById(weakness)?.title ?? []);
    return SPEAKING_RULE.test(id) ? [id, ...titles] : titles;
  });
}
