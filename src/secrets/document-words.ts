const WORD_KEYS: ReadonlySet<string> = new Set([
  'role',
  'kind',
  'type',
  'operator',
  'mode',
  'on_unmocked',
  'status',
  'stopped',
  'verdict',
  'calibration_verdict',
  'aggregation',
  'matcher',
  'metric',
  'match_type',
]);

const WORDS: ReadonlySet<string> = new Set([
  'no better than chance',
  ...[
    'system user assistant tool_result',
    'unknown_tool malformed_arguments invalid_arguments no_matching_mock mocked_error',
    'object array string number integer boolean null',
    'jmespath tool_called tool_not_called tool_sequence output_contains output_matches output_json cost_limit',
    'latency_limit custom eq ne gt gte lt lte contains regex exists not_exists exact in_order any_order error fail',
    'passed failed hard_fail unscored scored early_stop budget interrupted',
    'judge median mean trimmed_mean findings documented evidence f1 recall precision severity_weighted_recall partial',
    'PASS PARTIAL FAIL HARD_FAIL UNSCORED RECORDED usable weak',
  ].flatMap((line) => line.split(' ')),
]);

const FIELDS: ReadonlySet<string> = new Set(
  [
    'adapter arguments assertion_failures assertion_id assertion_type assertions attempt case_sensitive content',
    'cost_per_trial_usd cost_total_usd cost_usd count delay_ms delay_seconds description details error error_message',
    'errors eval_results example expression extras fail_count fail_rate file final_content finish_reason function id',
    'input_tokens is_error judge_cost_usd kind latency_p50 latency_p95 latency_seconds lost_weight max max_seconds',
    'max_tokens max_turns max_turns_hit max_usd message messages metadata min mock_response mock_responses mode model',
    'module name on_unmocked operator options output_tokens parameters pass_at_k pass_hat_k pass_rate pass_rate_ci',
    'passed pattern prompt provider provider_state raw_arguments reason required respond result retries role',
    'scenario_hash schema score score_avg score_min score_p50 score_p95 script seed sequence status stopped',
    'system_prompt tags temperature threshold timeout_seconds times timestamp tool tool_call_id tool_calls',
    'tool_calls_made tool_errors tools total_tokens trace_id trial_number trial_numbers trials_failed',
    'trials_hard_failed trials_passed trials_planned trials_scored trials_total trials_unscored turn turn_count turns',
    'type usage value variants verdict weight when',
    'additionalProperties enum items properties',
    'aggregation all_scores binary cached cached_votes context criteria custom_prompt dissenting_votes early_stop',
    'effective_votes include_system_prompt judge_adapter judge_hash judge_k judge_model judges k kappa',
    'krippendorff_alpha median_score pairwise_kappa panel per_criterion range raw_text readable reasoning reference',
    'repaired rubric saved_calls scale scores vote_number votes',
    'a agreement b best_threshold calibrated calibration_verdict ci correct corrected_ci corrected_pass_rate created_at',
    'dissent_rate human_passed kappa_ci kendall line mean_absolute_error mean_error n n_scores overall rate',
    'repeat_flip_rate scored sensitivity spearman specificity total trials_judged unreadable_votes unscored',
    'evaded evasion_rate exact_threshold f1_score false_alarms false_negatives false_positives finding_index findings',
    'manifest match_threshold match_type matcher matches metric min_f1 min_precision min_recall precision recall',
    'true_positives vulnerability_id',
    'judge vote_flip_rate votes_cached votes_cast votes_needed votes_saved',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a key is a field of our own documents, or a small number as `pass_at_k` has them: no secret, and needed. */
export function isDocumentField(key: string): boolean {
  return FIELDS.has(key) || /^\d{1,4}$/.test(key);
}

/**
 * Whether this is a word of our own documents in its place, which no pattern of a project may touch: a custom pattern
 * that matches "user" must not take the role off every message.
 */
export function isDocumentWord(key: string, value: string): boolean {
  return WORD_KEYS.has(key) && WORDS.has(value);
}
