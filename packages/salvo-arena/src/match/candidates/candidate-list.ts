/** A pair that may be matched. Indices are those of the lists the matcher was made for. */
export interface Candidate {
  vulnerability: number;
  finding: number;
  /** From 0 to 1. */
  score: number;
}

/**
 * Candidates as three columns: a large manifest has millions, and one object for each would not fit into memory.
 * The candidate at `i` is `vulnerability[i]`, `finding[i]`, `score[i]`; each column is `length` long.
 */
export interface CandidateList {
  readonly length: number;
  readonly vulnerability: Int32Array;
  readonly finding: Int32Array;
  readonly score: Float64Array;
}

export type CandidateListBuilder = ReturnType<typeof createCandidateList>;

/** Columns of at most 64 bytes lie where V8 makes objects; larger ones, and views, take longer to make and to give up. */
const FIRST_CAPACITY = 8;

/** A list that grows as candidates are found. */
export function createCandidateList() {
  let length = 0;
  let capacity = FIRST_CAPACITY;
  let vulnerabilities = new Int32Array(capacity);
  let findings = new Int32Array(capacity);
  let scores = new Float64Array(capacity);

  function grow(): void {
    capacity = Math.ceil(capacity * 1.5);
    // A transfer can extend the memory where it lies; copying would hold both sizes at once.
    vulnerabilities = new Int32Array(vulnerabilities.buffer.transfer(capacity * Int32Array.BYTES_PER_ELEMENT));
    findings = new Int32Array(findings.buffer.transfer(capacity * Int32Array.BYTES_PER_ELEMENT));
    scores = new Float64Array(scores.buffer.transfer(capacity * Float64Array.BYTES_PER_ELEMENT));
  }

  return {
    push(vulnerability: number, finding: number, score: number): void {
      if (length === capacity) grow();
      vulnerabilities[length] = vulnerability;
      findings[length] = finding;
      scores[length] = score;
      length += 1;
    },
    /** The list so far. Nothing may be pushed after this. */
    finish(): CandidateList {
      const part = length > FIRST_CAPACITY ? 'subarray' : 'slice';
      return {
        length,
        vulnerability: vulnerabilities[part](0, length),
        finding: findings[part](0, length),
        score: scores[part](0, length),
      };
    },
  };
}

/** Visits every candidate, without an object for each. */
export function forEachCandidate(
  { length, vulnerability, finding, score }: CandidateList,
  visit: (vulnerability: number, finding: number, score: number) => void,
): void {
  for (let at = 0; at < length; at += 1) visit(vulnerability[at] ?? 0, finding[at] ?? 0, score[at] ?? 0);
}
