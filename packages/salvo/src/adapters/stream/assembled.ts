/** The events of a known form to the answer that they are parts of. `isWhole` is false if the stream broke off. */
export interface Assembled {
  reply: unknown;
  isWhole: boolean;
}
