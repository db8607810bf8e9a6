import { environmentModels, withBudget, withModels } from '../../../models/call/model-caller.ts';
import { type Embedder, similarityOf } from '../../../models/scoring/similarity.ts';
import type { Assertion, AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { type ProjectConfig, projectEmbeddings } from '../../../scenario/schema/project-schema.ts';
import { agentCost, judgeCostFields } from '../../../trace/cost-fields.ts';
import type { Evaluation, Evaluator } from '../../evaluator.ts';
import { NO_ANSWER, showValue } from '../../show-value.ts';

type Similar = AssertionOf<'output_similar'>;

/** Passes if the embedding of the answer is near that of a text. An embedding that fails leaves the assertion unscored. */
export const evaluateOutputSimilar: Evaluator<Similar> = (assertion, trace, context) => {
  const answer = (trace.final_content ?? '').trim();
  if (answer === '') return NO_ANSWER;
  const embedder = embedderOf(assertion, context.project?.config);
  return withModels(
    context.models,
    async (opened) => {
      const { voteCache: cache = null, signal, seed = 0, trialNumber = 1 } = context;
      const models = context.budget ? withBudget(opened, context.budget) : opened;
      const texts = [assertion.value].flat();
      const found = await similarityOf({ answer, texts, embedder, models, cache, signal, seed, trialNumber });
      const { adapter: judge_adapter, model: judge_model } = embedder;
      const metadata = { judge_model, judge_adapter, ...judgeCostFields(agentCost(found)) };
      if ('error' in found) return { score: null, details: `embedding_failed: ${found.error}`, metadata };
      return evaluationOf(assertion, found, { ...metadata, similarity: found.similarity, cached: found.cached });
    },
    // For a trace that is evaluated outside of a run.
    () => environmentModels(context.project && { root: context.project.root, ...context.project.config }),
  );
};

// A registered assertion type cannot have the name of a built-in one.
export function isSimilar(assertion: Assertion | undefined): assertion is Similar {
  return assertion?.type === 'output_similar';
}

/** Which model embeds: by the assertion, else by the project, else by default. */
export function embedderOf({ adapter, model }: Pick<Similar, 'adapter' | 'model'>, config?: ProjectConfig): Embedder {
  const project = projectEmbeddings(config ?? {});
  return {
    adapter: adapter ?? project.adapter,
    model: model ?? project.model,
    timeoutSeconds: project.timeout_seconds,
  };
}

function evaluationOf(
  { value, min }: Similar,
  { similarity, nearest }: { similarity: number; nearest: number },
  metadata: Record<string, unknown>,
): Evaluation {
  const texts = [value].flat();
  const passed = similarity >= min;
  const which = texts.length > 1 ? 'the most similar text' : 'the text';
  const relation = passed ? 'at least' : 'below';
  const details = `the similarity is ${similarity.toFixed(3)}, ${relation} ${min}, by ${metadata.judge_model}; ${which} is ${showValue(texts[nearest])}`;
  // A cosine may be negative.
  return { score: Math.min(1, Math.max(0, similarity)), passed, details, metadata };
}
