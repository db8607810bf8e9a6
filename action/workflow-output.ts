import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

/** A message that GitHub shows on the page of the workflow run. Its text cannot end the command or begin another. */
export function annotate(kind: 'error' | 'warning' | 'notice', message: string): void {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${kind} title=Salvo::${escaped}\n`);
}

/** Sets the outputs of the step. Values cannot set others: each has a delimiter that nobody can guess. */
export function setOutputs(outputs: Record<string, string>, env: Environment): void {
  const file = env.GITHUB_OUTPUT;
  if (!file) return;
  for (const [name, value] of Object.entries(outputs)) {
    const delimiter = randomUUID();
    appendFileSync(file, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  }
}

/** Adds Markdown to the page of the workflow run. */
export function addToSummary(markdown: string, env: Environment): void {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${markdown.trimEnd()}\n\n`);
}
