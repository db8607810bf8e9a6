import type { LocatedValue } from '../scenario/diagnostics/located-value.ts';
import { MigrationGap, type MigrationNotes } from './notes.ts';
import { checkOf } from './promptfoo/assertions/code-assertions.ts';
import { childOf, itemsOf, numberOf, textOf } from './source/located.ts';

type Written = Record<string, unknown>;

const JUDGED = 'a judge of Salvo is asked by its own prompt, with the instructions of the grader as its criterion';

/** `{{item.x}}` is a column; what was answered is the answer itself. */
export function ownTemplate(text: string, node: LocatedValue): string {
  return text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => {
    if (path.startsWith('item.')) return `{{${path.slice(5)}}}`;
    if (/^sample\.(?:output_text|output_json)/.test(path)) return '(the answer)';
    throw new MigrationGap('template', `{{${path}}} is not translated`, node);
  });
}

/** A grader of OpenAI's Evals as assertions. Throws a `MigrationGap` if it is not translated. */
export function translateGrader(node: LocatedValue, notes: MigrationNotes, needsChecks: () => void): Written[] {
  const type = textOf(childOf(node, 'type')) ?? '';
  const translate = Object.hasOwn(GRADERS, type) ? GRADERS[type] : undefined;
  if (!translate) {
    const why =
      type === 'multi'
        ? 'a formula over several graders is not translated: write the assertions with weights and a threshold'
        : 'it is not translated';
    throw new MigrationGap(type || 'grader', why, node);
  }
  const written = translate(node, notes, needsChecks);
  const id = textOf(childOf(node, 'name'));
  notes.translated(type, String(written.type));
  return [{ ...(id !== undefined && { id }), ...written }];
}

type Translate = (node: LocatedValue, notes: MigrationNotes, needsChecks: () => void) => Written;

const GRADERS: Readonly<Record<string, Translate>> = {
  string_check: stringCheck,
  text_similarity: textSimilarity,
  score_model: scoreModel,
  label_model: labelModel,
  python(node, _, needsChecks) {
    const source = textOf(childOf(node, 'source'));
    if (source === undefined) throw new MigrationGap('python', 'it has no source', node);
    needsChecks();
    const code = `${source.trimEnd()}\nreturn grade({"output_text": output}, context["vars"])`;
    const threshold = numberOf(childOf(node, 'pass_threshold'));
    return checkOf('python', { code: code.replaceAll('{{', '\\{{'), ...(threshold !== undefined && { threshold }) });
  },
};

function stringCheck(node: LocatedValue): Written {
  const value = reference(node);
  const transform = answerPath(node);
  const types: Record<string, Written> = {
    eq: { type: 'output_equals', value, case_sensitive: true },
    ne: { type: 'output_not_equals', value, case_sensitive: true },
    like: { type: 'output_contains', value, case_sensitive: true },
    ilike: { type: 'output_contains', value, case_sensitive: false },
  };
  const operation = textOf(childOf(node, 'operation')) ?? 'eq';
  const written = types[operation];
  if (!written) throw new MigrationGap('string_check', `the operation ${operation} is not known`, node);
  return { ...written, ...transform };
}

function reference(node: LocatedValue): string {
  const text = textOf(childOf(node, 'reference'));
  if (text === undefined)
    throw new MigrationGap(textOf(childOf(node, 'type')) ?? 'grader', 'it has no reference', node);
  return ownTemplate(text, node);
}

/** Which part of the answer the grader looks at. */
function answerPath(node: LocatedValue): Written {
  const input = textOf(childOf(node, 'input'))?.trim() ?? '';
  if (/^\{\{\s*sample\.output_text\s*\}\}$/.test(input)) return {};
  const [, path] = /^\{\{\s*sample\.output_json\.([\w.]+)\s*\}\}$/.exec(input) ?? [];
  if (path === undefined)
    throw new MigrationGap(textOf(childOf(node, 'type')) ?? 'grader', 'it does not look at the answer alone', node);
  return { transform: path };
}

function textSimilarity(node: LocatedValue, notes: MigrationNotes, needsChecks: () => void): Written {
  const value = reference(node);
  const metric = textOf(childOf(node, 'evaluation_metric')) ?? '';
  const min = numberOf(childOf(node, 'pass_threshold')) ?? 0.5;
  if (metric === 'cosine') return { type: 'output_similar', value, min, ...answerPath(node) };
  const names: Record<string, string> = { bleu: 'bleu', gleu: 'gleu', rouge_1: 'rougeN' };
  const name = names[metric];
  if (name === undefined || Object.keys(answerPath(node)).length > 0) {
    throw new MigrationGap('text_similarity', `the metric ${metric} is not translated: use cosine, or a judge`, node);
  }
  notes.changed('text_similarity', `${metric} is computed by checks/promptfoo.mjs`, node);
  needsChecks();
  return checkOf(name, { value, min });
}

function instructions(node: LocatedValue): string {
  const texts = itemsOf(childOf(node, 'input')).map((message) => {
    const content = childOf(message, 'content');
    const text =
      textOf(content) ??
      textOf(childOf(content, 'text')) ??
      itemsOf(content)
        .map((part) => textOf(childOf(part, 'text')) ?? '')
        .join('\n');
    return ownTemplate(text, node);
  });
  if (texts.join('').trim() === '')
    throw new MigrationGap(textOf(childOf(node, 'type')) ?? 'grader', 'it has no instructions', node);
  return texts.join('\n\n');
}

function judgeModel(node: LocatedValue): Written {
  const model = textOf(childOf(node, 'model'));
  return model === undefined ? {} : { judge_adapter: 'openai', judge_model: model };
}

function scoreModel(node: LocatedValue, notes: MigrationNotes): Written {
  notes.changed('score_model', JUDGED, node);
  const [low = 0, high = 1] = itemsOf(childOf(node, 'range')).map((each) => numberOf(each));
  const threshold = numberOf(childOf(node, 'pass_threshold'));
  const share =
    threshold === undefined
      ? undefined
      : Math.max(0, Math.min(1, (threshold - (low ?? 0)) / ((high ?? 1) - (low ?? 0) || 1)));
  return {
    type: 'judge',
    criteria: [{ name: 'score', description: instructions(node) }],
    ...(share !== undefined && { threshold: share }),
    ...judgeModel(node),
  };
}

function labelModel(node: LocatedValue, notes: MigrationNotes): Written {
  notes.changed('label_model', JUDGED, node);
  const names = (key: string) =>
    itemsOf(childOf(node, key))
      .flatMap((each) => textOf(each) ?? [])
      .join(', ');
  const description = `${instructions(node)}\n\nThe labels are: ${names('labels')}. The answer is good if its label is one of: ${names('passing_labels')}.`;
  return { type: 'judge', criteria: [{ name: 'label', description, binary: true }], ...judgeModel(node) };
}
