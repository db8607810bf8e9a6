import { z } from 'zod';

/** What a worker must have, such as `gpu`. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export const labelsSchema = z
  .array(z.string().regex(LABEL, 'a label has 1 to 63 letters, digits, ., _ or -, and begins with a letter or a digit'))
  .max(20)
  .describe(
    'What a worker must have to take its trials: see `salvo worker --labels`. Without workers it has no effect.',
  );
