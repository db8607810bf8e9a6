import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseCommandLine } from '../parse-command-line.ts';

const FOLDER = resolve(import.meta.dirname, '../../examples/scale');

function documentsOf(name: string): unknown[] {
  return parseAllDocuments(readFileSync(resolve(FOLDER, name), 'utf8')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ build: z.string().optional(), command: z.string().array().optional() }),
  ),
});
const podSchema = z.object({ spec: z.object({ containers: z.object({ args: z.string().array() }).array() }) });
const workloadSchema = z.object({ kind: z.string(), spec: z.object({ template: podSchema }) });

/** The words after `salvo`, by what starts them. */
function commandLines(): [string, string[]][] {
  const [compose] = documentsOf('compose.yaml');
  const services = Object.entries(composeSchema.parse(compose).services);
  const pods = ['kubernetes.yaml', 'kubernetes-run.yaml'].flatMap((name) =>
    documentsOf(name).flatMap((document): [string, string[]][] => {
      const { data } = workloadSchema.safeParse(document);
      return (data?.spec.template.spec.containers ?? []).map(({ args }) => [`${name}: ${data?.kind}`, args]);
    }),
  );
  const ours = services.flatMap(([name, { build, command }]): [string, string[]][] =>
    build === undefined ? [] : [[`compose.yaml: ${name}`, command ?? []]],
  );
  return [...ours, ...pods];
}

describe('the examples for a team', () => {
  it('start workers, viewers and a run', () => {
    expect(commandLines().map(([, [command]]) => command)).toEqual(['worker', 'view', 'worker', 'view', 'run']);
  });

  it.each(commandLines())('%s is a command line that we have', async (_, words) => {
    const { called, text } = await parseCommandLine(words);
    expect([called.length, text]).toEqual([1, '']);
  });
});
