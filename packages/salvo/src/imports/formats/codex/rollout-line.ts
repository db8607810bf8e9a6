/** A line of a rollout file, in the form of the versions that have a payload in each. */
export interface RolloutLine {
  line: number;
  time: unknown;
  type: string;
  payload: Record<string, unknown>;
  /** Its position in the file, where the lines say it. */
  ordinal: number | null;
}
