/**
 * The score from which two findings say the same: of several reporters, of the flawed code and its clean twin, or of
 * what the code had before. It is above the threshold of a match. A flaw is paired with the best of many findings and
 * may be described loosely, while these are mostly titles of rules, whose labels agree best with scores from 0.7 on; and
 * a wrong pair here hides a finding that could be a match.
 */
export const SAME_FINDING = 0.7;
