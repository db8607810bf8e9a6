import { z } from 'zod';
import { laterSchema, textFree } from '../../../secrets/text-marks.ts';
import { traceSchema } from '../../../trace/trace.ts';

const anchorSchema = () =>
  z.object({
    /** Of the trace as the judge saw it: a trace in which secrets were redacted cannot be judged again. */
    sha256: textFree(z.string()),
    trace: traceSchema,
    /** What each judge of the panel, by its position, said of it then. */
    votes: z.array(
      z.object({
        judge: z.int().nonnegative(),
        scores: z.array(z.number()),
        /** Of a decision model: how likely it passes. */
        probabilities: z.array(z.number()).optional(),
      }),
    ),
  });

/** Items of a calibration that are judged again before a run, to see whether the judge still says the same. */
export const anchorsSchema = laterSchema(() =>
  z.object({
    /** Of the way in which they are shown to the judge. */
    version: z.int(),
    /** A hash of what the judge saw of the scenario; null if it saw none. */
    scenario: textFree(z.string()).nullable(),
    items: z.array(anchorSchema()),
  }),
);

export type Anchors = z.infer<typeof anchorsSchema>;
export type Anchor = Anchors['items'][number];
