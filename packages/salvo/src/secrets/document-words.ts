/**
 * Fields of Salvo's own data that has no schema: the metadata of eval results, and votes. Reports read them, so neither
 * a custom pattern nor `metadata_only` may change their names.
 */
const FIELDS: ReadonlySet<string> = new Set(
  [
    // A judge's metadata
    'judge_model judge_adapter judge_mode judge_k judge_cost_usd judge_hash aggregation threshold dissenting_votes saved_calls',
    'cached_votes repaired_votes retries notes per_criterion name score median_score all_scores weight range reasoning votes vote_number scores',
    'passed raw_text input_tokens output_tokens latency_seconds cost_usd repaired cached error panel judges readable',
    'pairwise_kappa a b kappa krippendorff_alpha material characters limit parts left_out what not_asked part_scores',
    'probability probabilities label cascade stages decided_by sure sureness outcome people reason',
    // Scored findings, and counts
    'findings true_positives false_positives false_negatives precision recall f1_score evasion_rate matches',
    'vulnerability_id finding_index match_type evaded false_alarms calls count n',
  ].flatMap((line) => line.split(' ')),
);

const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['aggregation', ['median', 'mean', 'trimmed_mean']],
  ['match_type', ['exact', 'partial']],
  ['judge_mode', ['decide']],
  ['outcome', ['decided', 'not_sure', 'unscored', 'not_asked']],
  ['people', ['decided', 'waiting', 'not_asked']],
]);

/** Whether a key is a field of Salvo's own data, or a small number. */
export function isDocumentField(key: string): boolean {
  return FIELDS.has(key) || /^\d{1,4}$/.test(key);
}

/** Whether this is a word of Salvo's own data in its place, which no pattern of a project may change. */
export function isDocumentWord(key: string, value: string): boolean {
  return WORDS.get(key)?.includes(value) ?? false;
}
