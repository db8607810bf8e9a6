import type { CassetteOfRun } from '../../../run/record/run-record.ts';

export function cassetteName({ file }: CassetteOfRun): string {
  return file ?? 'the cassettes of the adapters';
}

/** What a reader must know of the figures of a run whose models were recorded or not called. */
export function cassetteNote(cassette: CassetteOfRun): string {
  return cassette.mode === 'record'
    ? `The answers of models were recorded on ${cassetteName(cassette)}.`
    : `The answers of models were replayed from ${cassetteName(cassette)} and cost nothing now. Tokens, costs and times of models are those of the recording.`;
}
