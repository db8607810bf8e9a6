// Checks that were written by `salvo import promptfoo`. They are yours: change what you like.
// Each gets the trace of a trial and its options, and gives a score and whether it passed.
import { spawn } from 'node:child_process';

const textOf = (trace) => trace.final_content ?? '';
const verdict = (passed, { negated }, details = '') => ({
  score: passed !== Boolean(negated) ? 1 : 0,
  passed: passed !== Boolean(negated),
  details,
});

/** A score that has to reach `min`. */
const reached = (score, { min, negated }, details) => ({
  score: Math.max(0, Math.min(1, negated ? 1 - score : score)),
  passed: score >= min !== Boolean(negated),
  details: `${details} ${score.toFixed(3)}, from ${min} it passes`,
});

/** The best score of several references. */
const best = (value, scoreOf) => Math.max(...[value].flat().map((text) => scoreOf(String(text))));

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
const grams = (list, n) =>
  list.slice(0, Math.max(0, list.length - n + 1)).map((_, at) => list.slice(at, at + n).join(' '));

function overlap(candidate, reference) {
  const left = new Map();
  for (const gram of reference) left.set(gram, (left.get(gram) ?? 0) + 1);
  let count = 0;
  for (const gram of candidate) {
    const known = left.get(gram) ?? 0;
    if (known > 0) count += 1;
    left.set(gram, known - 1);
  }
  return count;
}

/** How many characters have to be changed, added or removed. */
export function levenshtein(trace, { options }) {
  const [a, b] = [[...textOf(trace)], [...String([options.value].flat()[0])]];
  let row = b.map((_, at) => at + 1);
  row.unshift(0);
  for (const [i, left] of a.entries()) {
    const next = [i + 1];
    for (const [j, right] of b.entries())
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (left === right ? 0 : 1)));
    row = next;
  }
  const distance = row.at(-1);
  return verdict(distance <= options.max, options, `the distance is ${distance}, up to ${options.max} it passes`);
}

/** ROUGE-1: the F-measure of words that the answer and the reference share. */
export function rougeN(trace, { options }) {
  const score = best(options.value, (reference) => {
    const [candidate, wanted] = [words(textOf(trace)), words(reference)];
    const shared = overlap(candidate, wanted);
    const [precision, recall] = [shared / candidate.length, shared / wanted.length];
    return shared === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  });
  return reached(score, options, 'ROUGE-1 is');
}

/** BLEU with up to four words, smoothed where there is no match. */
export function bleu(trace, { options }) {
  const candidate = words(textOf(trace));
  const score = best(options.value, (reference) => {
    const wanted = words(reference);
    const orders = [1, 2, 3, 4].filter((n) => candidate.length >= n && wanted.length >= n);
    if (orders.length === 0 || overlap(candidate, wanted) === 0) return 0;
    const logs = orders.map((n) => {
      const own = grams(candidate, n);
      const shared = overlap(own, grams(wanted, n));
      return Math.log(shared === 0 ? 1 / (2 * own.length) : shared / own.length);
    });
    const brevity = candidate.length > wanted.length ? 1 : Math.exp(1 - wanted.length / candidate.length);
    return brevity * Math.exp(logs.reduce((sum, each) => sum + each, 0) / orders.length);
  });
  return reached(score, options, 'BLEU is');
}

/** GLEU: the smaller of precision and recall of up to four words. */
export function gleu(trace, { options }) {
  const candidate = words(textOf(trace));
  const score = best(options.value, (reference) => {
    const all = (list) => [1, 2, 3, 4].flatMap((n) => grams(list, n));
    const [own, wanted] = [all(candidate), all(words(reference))];
    const shared = overlap(own, wanted);
    return own.length === 0 || wanted.length === 0 ? 0 : Math.min(shared / own.length, shared / wanted.length);
  });
  return reached(score, options, 'GLEU is');
}

/** Whether tags are closed in the order in which they were opened. */
function isBalanced(text) {
  const open = [];
  for (const [, close, name, , empty] of text.matchAll(
    /<(\/?)([A-Za-z_][\w:.-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*?)(\/?)>/g,
  )) {
    if (close) {
      if (open.pop() !== name) return false;
    } else if (!empty) open.push(name);
  }
  return open.length === 0;
}

/** `a.b` is an element b somewhere in an element a. */
const hasElement = (text, path) => path.split('.').every((name) => new RegExp(`<${name}[\\s/>]`).test(text));

export function isXml(trace, { options }) {
  const text = textOf(trace).trim();
  const isWhole = /^<[?!A-Za-z_][\s\S]*>$/.test(text) && isBalanced(text.replaceAll(/<[?!][^>]*>/g, ''));
  return verdict(
    isWhole && (options.required ?? []).every((path) => hasElement(text, path)),
    options,
    'the answer as XML',
  );
}

export function containsXml(trace, { options }) {
  const found = /<([A-Za-z_][\w:.-]*)[^<>]*>[\s\S]*<\/\1>|<[A-Za-z_][\w:.-]*[^<>]*\/>/.exec(textOf(trace))?.[0];
  const fits =
    found !== undefined && isBalanced(found) && (options.required ?? []).every((path) => hasElement(found, path));
  return verdict(fits, options, 'XML in the answer');
}

const HTML =
  /<(?:!doctype html|html|head|body|div|span|p|a|ul|ol|li|table|tr|td|h[1-6]|img|br|hr|form|input|button|section|article|nav|header|footer|main|script|style|strong|em|b|i|code|pre)\b[^<>]*>/i;

export function isHtml(trace, { options }) {
  const text = textOf(trace).trim();
  return verdict(/^</.test(text) && />$/.test(text) && HTML.test(text), options, 'the answer as HTML');
}

export function containsHtml(trace, { options }) {
  return verdict(HTML.test(textOf(trace)), options, 'HTML in the answer');
}

/** Calls whose arguments do not fit their schema are errors of the trace. */
export function validToolCalls(trace) {
  const [calls, errors] = [trace.tool_calls_made.length, trace.tool_errors.length];
  return { score: calls > 0 && errors === 0 ? 1 : 0, details: `${calls} calls, ${errors} errors` };
}

export function toolCallF1(trace, { options }) {
  const called = new Set(trace.tool_calls_made.map(({ name }) => name));
  const wanted = new Set(options.tools);
  const shared = [...called].filter((name) => wanted.has(name)).length;
  return reached(called.size + wanted.size === 0 ? 1 : (2 * shared) / (called.size + wanted.size), options, 'F1 is');
}

/** What code of promptfoo gets: the text, or parsed JSON or tool calls if `parsed`; and the variables under their names. */
function given(trace, { row = {} }, { parsed, renamed = {}, config }) {
  const vars = { ...row };
  for (const [name, column] of Object.entries(renamed)) vars[name] = row[column];
  const prompt = trace.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const calls = trace.tool_calls_made.map(({ id, name, arguments: own }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(own) },
  }));
  let output = textOf(trace);
  if (parsed && calls.length > 0) output = calls;
  else if (parsed) {
    try {
      output = JSON.parse(output);
    } catch {}
  }
  return { output, context: { vars, prompt, test: { vars }, trace, ...(config !== undefined && { config }) } };
}

/** true or false, a number, or { pass, score, reason }. */
function resultOf(result, { negated, threshold }) {
  const isScore = typeof result === 'number';
  const value = isScore
    ? result
    : typeof result === 'object' && result !== null
      ? (result.pass ?? result.pass_)
      : result;
  const passed = isScore ? (threshold === undefined ? value > 0 : value >= threshold) : Boolean(value);
  const score = isScore ? value : (result?.score ?? (passed ? 1 : 0));
  const isPassed = passed !== Boolean(negated);
  return {
    score: isScore || !negated ? Math.max(0, Math.min(1, score)) : Number(isPassed),
    passed: isPassed,
    details: String(result?.reason ?? `the code gave ${JSON.stringify(result)}`),
  };
}

/** promptfoo counts code that throws as failed. */
async function judged(options, run) {
  try {
    return resultOf(await run(), options);
  } catch (error) {
    return { score: 0, passed: false, details: `the code threw: ${error}` };
  }
}

const rowOf = (context) => ({ row: context.row ?? context.trialContext?.row ?? {} });

export function javascriptFile(trace, context) {
  const { options } = context;
  const { output, context: own } = given(trace, rowOf(context), options);
  return judged(options, async () => {
    const module = await import(new URL(options.file, import.meta.url));
    const check = options.function
      ? (module[options.function] ?? module.default?.[options.function])
      : (module.default?.default ?? module.default ?? module);
    return check(output, own);
  });
}

export function javascriptCode(trace, context) {
  const { options } = context;
  const { output, context: own } = given(trace, rowOf(context), options);
  const AsyncFunction = (async () => {}).constructor;
  return judged(options, () => new AsyncFunction('output', 'context', options.code)(output, own));
}

const PYTHON = `
import asyncio, importlib.util, inspect, json, os, sys
given = json.load(sys.stdin)
sys.stdout, kept = sys.stderr, sys.stdout
if given.get("file"):
    sys.path.insert(0, os.path.dirname(given["file"]))
    spec = importlib.util.spec_from_file_location("check", given["file"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, given["function"])
else:
    code = given["code"].strip()
    lines = ["    " + line for line in code.split("\\n")] if "\\n" in code else ["    return " + code]
    space = {}
    exec("import json\\ndef check(output, context):\\n" + "\\n".join(lines), space)
    function = space["check"]
result = function(*given["arguments"])
if inspect.isawaitable(result):
    result = asyncio.run(result)
if hasattr(result, "__dict__"):
    result = vars(result)
kept.write(json.dumps(result))
`;

/** Runs a function of Python with python3, or the program that PROMPTFOO_PYTHON names. */
export function runPython(question) {
  const child = spawn(process.env.PROMPTFOO_PYTHON ?? 'python3', ['-c', PYTHON]);
  return new Promise((done, fail) => {
    let [said, complaint] = ['', ''];
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (complaint += chunk));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(JSON.parse(said)) : fail(new Error(complaint.trim().split('\n').at(-1) ?? 'python failed')),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(question));
  });
}

export function python(trace, context) {
  const { options } = context;
  const { output, context: own } = given(trace, rowOf(context), options);
  return judged(options, () => runPython({ code: options.code, arguments: [output, { ...own, trace: undefined }] }));
}

export function pythonFile(trace, context) {
  const { options } = context;
  const { output, context: own } = given(trace, rowOf(context), options);
  const file = decodeURIComponent(new URL(options.file, import.meta.url).pathname);
  return judged(options, () =>
    runPython({ file, function: options.function ?? 'get_assert', arguments: [output, { ...own, trace: undefined }] }),
  );
}
