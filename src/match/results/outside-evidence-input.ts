/** What is known from outside of the two teams. Every part may be missing. */
export interface AnchorInput {
  /** What tools report about the same code: a list of findings, anything `readFindings` reads, or either by a tool's name. */
  toolFindings?: unknown;
  /**
   * Which vulnerabilities were found to be in the code: the ids of those that are (all others are not), true or false by
   * id (what is not named was not checked), or true or false in the order of the manifest.
   */
  confirmed?:
    | readonly string[]
    | ReadonlySet<string>
    | readonly boolean[]
    | Readonly<Record<string, boolean>>
    | undefined;
  /** Addresses of resources that are known to have no flaw. */
  cleanResources?: readonly string[] | undefined;
}
