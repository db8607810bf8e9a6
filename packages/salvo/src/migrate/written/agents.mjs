// Providers of promptfoo as agents of Salvo, written by `salvo import promptfoo`. They are yours: change what you like.
import { spawn } from 'node:child_process';
import { runPython } from '../checks/promptfoo.mjs';

/** What promptfoo hands to a provider: a text, or all messages as JSON. */
function promptOf({ messages }) {
  const [only, ...others] = messages.map(({ role, content }) => ({ role, content }));
  return others.length === 0 && only?.role === 'user'
    ? only.content
    : JSON.stringify(messages.map(({ role, content }) => ({ role, content })));
}

const contextOf = (task, prompt) => ({ vars: task.row ?? {}, prompt: { raw: prompt, label: prompt } });

function turnOf(answer) {
  if (typeof answer === 'string') return answer;
  if (answer?.error) throw new Error(String(answer.error));
  const { output, tokenUsage, cost } = answer ?? {};
  const content = typeof output === 'string' ? output : JSON.stringify(output ?? '');
  const usage =
    tokenUsage?.prompt === undefined
      ? undefined
      : { input_tokens: tokenUsage.prompt, output_tokens: tokenUsage.completion ?? 0 };
  return { content, ...(usage && { usage }), ...(typeof cost === 'number' && { cost_usd: cost }) };
}

/** Says what it was asked. */
export const echo = (task) => promptOf(task);

/** A class with \`callApi\`, or a function. */
export async function javascript(task, { file, function: name, config }) {
  const module = await import(new URL(file, import.meta.url));
  const found = name ? module[name] : (module.default?.default ?? module.default ?? module);
  const prompt = promptOf(task);
  const isClass = typeof found === 'function' && found.prototype?.callApi !== undefined;
  const provider = isClass ? new found({ id: file, config }) : found;
  const call = provider.callApi?.bind(provider) ?? provider;
  return turnOf(await call(prompt, isClass ? contextOf(task, prompt) : { config, ...contextOf(task, prompt) }, {}));
}

export async function python(task, { file, function: name = 'call_api', config }) {
  const prompt = promptOf(task);
  const path = decodeURIComponent(new URL(file, import.meta.url).pathname);
  return turnOf(
    await runPython({ file: path, function: name, arguments: [prompt, { config }, contextOf(task, prompt)] }),
  );
}

/** A program that gets the prompt as its first argument, and writes the answer. */
export function exec(task, { command }) {
  const prompt = promptOf(task);
  const [program, ...words] = command.match(/"[^"]*"|'[^']*'|\S+/g).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
  const folder = new URL('../files/', import.meta.url);
  const child = spawn(
    program,
    [...words, prompt, JSON.stringify({ config: {} }), JSON.stringify(contextOf(task, prompt))],
    { cwd: folder },
  );
  return new Promise((done, fail) => {
    let [said, complaint] = ['', ''];
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (complaint += chunk));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done(said.trim()) : fail(new Error(complaint.trim() || `the program ended with ${code}`)),
    );
  });
}

/** Asks a server, and reads its response by the code of `transformResponse`. */
export async function http(task, { url, method, headers, body, transform }) {
  const prompt = promptOf(task);
  const values = { ...task.row, prompt, env: process.env };
  const ofEnv = (text) => text.replaceAll(/\$\{(\w+)\}/g, (_, name) => process.env[name] ?? '');
  const sent = Object.entries(headers ?? {}).map(([name, value]) => [name, ofEnv(value)]);
  const response = await fetch(filled(url, values, encodeURIComponent), {
    method,
    headers: { 'content-type': 'application/json', ...Object.fromEntries(sent) },
    ...(body !== undefined && {
      body: typeof body === 'string' ? filled(body, values, inJson) : JSON.stringify(filledIn(body, values)),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the server answered ${response.status}: ${text.slice(0, 500)}`);
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {}
  if (transform === undefined) return turnOf({ output: json ?? text });
  const isFunction = /^(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)/.test(transform);
  const code = isFunction ? `return (${transform})(json, text, context)` : `return (${transform})`;
  const hasReturn = !isFunction && /\breturn\b/.test(transform);
  const found = await new Function('json', 'text', 'context', hasReturn ? transform : code)(json, text, { response });
  return turnOf(found !== null && typeof found === 'object' && 'output' in found ? found : { output: found });
}

const inJson = (text) => JSON.stringify(text).slice(1, -1);
const valueAt = (path, values) => path.split('.').reduce((value, key) => value?.[key], values);

function filled(template, values, escaped = (text) => text) {
  return template
    .replaceAll(/\{%-?\s*if\s+([\w.]+)\s*-?%\}([\s\S]*?)\{%-?\s*endif\s*-?%\}/g, (_, path, part) =>
      valueAt(path, values) ? part : '',
    )
    .replaceAll(/\{\{-?\s*([\w.]+)(\s*\|\s*dump)?\s*-?\}\}/g, (_, path, dump) => {
      const value = valueAt(path, values) ?? '';
      if (dump) return JSON.stringify(value);
      return escaped(typeof value === 'string' ? value : JSON.stringify(value));
    });
}

function filledIn(value, values) {
  if (typeof value === 'string') return filled(value, values);
  if (Array.isArray(value)) return value.map((part) => filledIn(part, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, filledIn(part, values)]));
}
