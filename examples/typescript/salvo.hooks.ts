import type { TrialContext } from 'salvo';

/** Runs once, before the first trial. What it returns is `hooks.run` everywhere. */
export function setup(): { shop: string } {
  return { shop: 'Kettles & Co.' };
}

/** Runs after every trial, of scenarios in YAML, too. */
export function teardownTrial({ scenario, trialNumber }: TrialContext): void {
  if (process.env.VERBOSE) console.log(`${scenario}: trial ${trialNumber} is over`);
}
