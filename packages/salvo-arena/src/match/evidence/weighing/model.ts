import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import { type FactorGroup, FEATURES, type FeatureName } from './features.ts';

const names = z.enum(FEATURES.map(({ name }) => name));

/** Made by `npm run train-matcher`. */
const modelSchema = z.strictObject({
  $comment: z.string(),
  /** What the model was trained on: a hash over the files, and how many pairs they give. */
  trained_on: z.strictObject({ sha256: z.string(), pairs: z.int(), same: z.int() }),
  /** Agreement on services that the training did not see, and its 95% interval over services. */
  held_out: z.strictObject({ services: z.int(), kappa: z.number(), interval: z.tuple([z.number(), z.number()]) }),
  bias: z.number(),
  weights: z.record(names, z.number()),
});

export type Model = z.infer<typeof modelSchema>;

/** The model of the package; read when it is first needed. */
export const loadModel = once(() => modelSchema.parse(JSON.parse(dataFile(import.meta.url, './model.json'))));

/** The probability that a pair is about the same flaw, before rules and limits. */
export function probabilityOf(model: Pick<Model, 'bias' | 'weights'>, features: Record<FeatureName, number>): number {
  let sum = model.bias;
  for (const { name } of FEATURES) sum += model.weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}

/** How far each group of features is above the least it can contribute, and the most that this could be. */
export function contributionsOf(
  model: Model,
  features: Record<FeatureName, number>,
): Record<FactorGroup, { above: number; most: number }> {
  const groups = {
    flaw: { above: 0, most: 0 },
    thing: { above: 0, most: 0 },
    details: { above: 0, most: 0 },
    words: { above: 0, most: 0 },
    place: { above: 0, most: 0 },
  };
  for (const { name, group, range } of FEATURES) {
    const weight = model.weights[name];
    const least = Math.min(weight * range[0], weight * range[1]);
    groups[group].above += weight * features[name] - least;
    groups[group].most += Math.max(weight * range[0], weight * range[1]) - least;
  }
  return groups;
}
