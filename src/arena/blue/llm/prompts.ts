import { parse } from 'yaml';
import { z } from 'zod';
import { fillTemplate } from '../../../models/templates.ts';
import { dataFolder, fileOf } from '../../../text/data-file.ts';
import { FRAMEWORKS, TECHNIQUES } from './technique.ts';

export type PromptName =
  | 'analyst'
  | 'fence'
  | 'code'
  | 'report'
  | 'part'
  | 'repair'
  | 'known'
  | 'quotes'
  | 'ballot'
  | 'arguments';

let files: Readonly<Record<string, string>> | undefined;

/** One of the Blue Team's prompts, filled in. Read when it is first needed: most games ask no model. */
export function prompt(name: PromptName, values: Readonly<Record<string, string>> = {}): string {
  return fillTemplate(text(`${name}.md`), values);
}

const assignmentsSchema = z.strictObject({
  techniques: z.record(z.enum(TECHNIQUES), z.string()),
  frameworks: z.record(z.enum(FRAMEWORKS), z.array(z.string())),
  specialists: z.record(z.string(), z.string()),
});

export type Assignments = z.infer<typeof assignmentsSchema>;

let assignments: Assignments | undefined;

/** What analysts can be asked to do. */
export function loadAssignments(): Assignments {
  assignments ??= assignmentsSchema.parse(parse(text('assignments.yaml')));
  return assignments;
}

function text(file: string): string {
  files ??= dataFolder(import.meta.url, './prompts');
  return fileOf(files, file).trimEnd();
}
