import type { AtLeast } from 'salvo/kit/stats';
import type { Factor } from '../candidates/matcher.ts';

export type MatchType = 'exact' | 'partial';

/** A vulnerability and a finding that were compared. */
export interface Pair {
  vulnerabilityId: string;
  vulnerabilityIndex: number;
  findingIndex: number;
  /** From 0 to 1. */
  score: number;
  factors: Factor[];
  /** The factors as one sentence. */
  explanation: string;
}

/** A vulnerability that was found, and the finding that is about it. */
export interface Match extends Pair {
  matchType: MatchType;
}

/** The closest finding to a vulnerability that evaded, and why it did not count. */
export interface NearMiss extends Pair {
  /**
   * `below_threshold`; `taken`: it reached the threshold but is matched with another vulnerability; `in_twin`: no flaw
   * caused it, because Blue reports it on the clean twin as well or because it was there before.
   */
  reason: 'below_threshold' | 'taken' | 'in_twin';
}

/** A further finding of a vulnerability that is matched already. */
export interface Duplicate extends Pair {}

/** A finding that a flaw caused, and that is about another weakness than the planted one. */
export interface Consequence {
  findingIndex: number;
  /** The nearest flaw. */
  vulnerabilityId: string;
  vulnerabilityIndex: number;
  /** In words: `only in the flawed code; iam-policy-full-admin implies iam-policy-data-exfiltration`. */
  why: string;
}

export interface Interval {
  low: number;
  high: number;
}

/** How many vulnerabilities of a kind there were, and how many of them were found. */
export interface RecallOf {
  vulnerabilities: number;
  found: number;
  recall: number;
}

/** What evidence from outside the two teams says. A part is null when nothing was given for it. */
export interface OutsideEvidence {
  /** Matches that a tool reports as well: indices of vulnerabilities. */
  corroborated: number[] | null;
  corroborationRate: number | null;
  /** False alarms that a tool reports as well: indices of findings. */
  supportedAlarms: number[] | null;
  /** Precision without the supported alarms. */
  adjustedPrecision: number | null;
  /** The share of the manifest that was confirmed. */
  manifestAccuracy: number | null;
  /** Ids of vulnerabilities that are not in the code. */
  phantoms: string[] | null;
  /** Recall over the confirmed vulnerabilities. */
  adjustedRecall: number | null;
  /** The share of the phantoms that Blue "found" nevertheless. */
  phantomConcordance: number | null;
  trueNegatives: number | null;
  falsePositiveRate: number | null;
  /** Recall minus false-positive rate. */
  youdenJ: number | null;
}

/** How a model decided a pair that the matcher left unclear. */
export interface ModelDecision {
  vulnerabilityId: string;
  vulnerabilityIndex: number;
  findingIndex: number;
  /** Before the model was asked. */
  score: number;
  /** Null: undecided. No model could tell, and the score is unchanged. */
  same: boolean | null;
  /** For each model asked. */
  opinions: {
    adapter: string;
    model: string;
    same: boolean | null;
    votes: number;
    reasoning: string;
    error: string | null;
  }[];
}

/** What the models did. */
export interface ModelsPart {
  /** Pairs of the unclear band that models were asked about. */
  asked: number;
  /** How many of these no model could decide. Their scores are unchanged. */
  undecided: number;
  /** Further pairs of the band that exceeded the limit and were not asked about. Their scores are unchanged. */
  leftOut: number;
  decisions: ModelDecision[];
  /** Agreement of every two models on the pairs that both decided; null when they cannot be compared. */
  kappas: { models: [string, string]; kappa: number | null }[];
  calls: number;
  cachedVotes: number;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  /** What is known of the cost, if it is not known exactly. */
  costAtLeast?: AtLeast | undefined;
}

/** The outcome of one Red against one Blue. */
export interface ScoreResults {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  precision: number;
  recall: number;
  f1Score: number;
  evasionRate: number;
  /** By index of the vulnerability. */
  matches: Match[];
  /** Ids of the vulnerabilities that were not found. */
  evaded: string[];
  /** Indices of the findings without a match. */
  falseAlarms: number[];

  /** Neither a vulnerability nor a finding: there was nothing to score, and every metric is 0. */
  empty: boolean;
  evadedIndices: number[];
  /** The closest finding for each vulnerability that evaded, if any was close. */
  nearMisses: NearMiss[];
  duplicates: Duplicate[];
  precisionWithoutDuplicates: number;

  /**
   * With a report on the clean twin: the findings that are only in the flawed code and match no flaw. Without one: those
   * whose weakness follows from that of a flaw at the same place, by the catalogue. All are in `falseAlarms`, too.
   */
  consequences: Consequence[];
  /** Indices of findings about weaknesses that the code had before flaws were planted. In `falseAlarms`, too. */
  presentBefore: number[];
  /** Indices of findings that Blue reports on the clean twin as well. Null without a report on the twin, as below. */
  inTwin: number[] | null;
  /** Indices of findings that no flaw caused and that are not about a weakness present before. */
  falseAlarmsByTwin: number[] | null;
  /** Indices of findings in the report on the twin that are not about a weakness present before. */
  cleanAlarms: number[] | null;
  /** Matches among the matches and the false alarms by the twin. Duplicates and consequences count in neither. */
  precisionByTwin: number | null;
  /** F1 of that precision and recall. */
  f1ByTwin: number | null;
  /** Which precision decides: by the twin if there is a report on it. */
  precisionUsed: 'twin' | 'classic';

  f2Score: number;
  f05Score: number;
  /** Recall with each vulnerability weighted by its severity. */
  severityWeightedRecall: number;
  breakdowns: Record<'category' | 'severity' | 'difficulty' | 'technique', Record<string, RecallOf>>;
  /** 95%, Wilson. Null where there is nothing to estimate from. */
  intervals: {
    precision: Interval | null;
    recall: Interval | null;
    evasionRate: Interval | null;
    precisionByTwin: Interval | null;
  };
  /** The evidence from outside the two teams; the name is that of the document's field. */
  anchors: OutsideEvidence | null;
  models: ModelsPart | null;
}
