/** The stream itself says that the provider failed, or it ended before its last event. */
export class StreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StreamError';
  }
}

export function brokeOff(missing: string): StreamError {
  return new StreamError(`the stream broke off: it ended without ${missing}`);
}
