import type { CodeLanguage } from '../../../iac/syntax/code-block.ts';
import { findTasks, taskById } from '../../tasks/tasks.ts';
import { allTemplates, type Template } from '../../templates/templates.ts';
import type { Draw } from './seeded-choice.ts';

/** The templates for a task, given by its id or in one's own words, the first choice first. */
export function chooseTemplates(scenario: string, language: CodeLanguage, draw: Draw): Template[] {
  const ofLanguage = allTemplates().filter((template) => template.language === language);
  const named = ofLanguage.filter(({ id }) => id === scenario);
  if (named.length > 0) return named;
  const task = taskById(scenario) ?? findTasks(scenario)[0];
  const fitting = ofLanguage.filter(({ id }) => task?.templates.includes(id));
  return draw.shuffled(fitting.length > 0 ? fitting : ofLanguage);
}
