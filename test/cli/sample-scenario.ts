/** A turn of a script that answers with so much text and so many tokens. */
export const done = (content = 'Done.') => ({ content, usage: { input_tokens: 100, output_tokens: 10 } });

/** A scenario file whose scripted agent says "Done.", and passes for it, but for what the test says. JSON is YAML. */
export function sampleScenario(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    name: 'sample',
    adapter: 'scripted',
    prompt: 'Please.',
    assertions: [{ type: 'output_contains', id: 'says-done', value: 'Done' }],
    script: [done()],
    ...changes,
  });
}

/** Of ten trials about so many pass, drawn from the seed; with a delay, so that trials overlap. */
export function variedScript(delayMs = 0) {
  const turn = (content: string) => ({ ...done(content), delay_ms: delayMs });
  return {
    variants: [
      { weight: 6, turns: [turn('Done.')] },
      { weight: 4, turns: [turn('No.')] },
    ],
  };
}
