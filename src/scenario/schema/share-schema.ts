import { z } from 'zod';
import { howToWriteShare, PERCENTAGE_PATTERN, readShare } from '../../text/share.ts';
import { aValue } from '../../text/words/value-words.ts';

/** Every share in a scenario or in salvo.yaml: a number from 0 to 1, or a percentage such as `80%`. */
export const shareSchema = z
  .custom<number | `${number}%`>((value) => readShare(value) !== null, {
    error: ({ input }) => `${aValue(input)} is not a share from 0 to 1: ${howToWriteShare(input)}`,
  })
  .meta({
    anyOf: [
      { type: 'number', minimum: 0, maximum: 1 },
      { type: 'string', pattern: PERCENTAGE_PATTERN },
    ],
  })
  .transform((value) => readShare(value) ?? Number.NaN);
