/** A stand-in for a model: it knows three capitals, and answers in one word if it is asked to. */
const CAPITALS = new Map([
  ['France', 'Paris'],
  ['Spain', 'Madrid'],
  ['Japan', 'Tokyo'],
]);

export default function agent({ messages }: { messages: { role: string; content: string }[] }): string {
  const asked = messages.map(({ content }) => content).join('\n');
  const found = [...CAPITALS].find(([country]) => asked.includes(country));
  if (!found) return 'I do not know that country.';
  const [country, capital] = found;
  return /one word/.test(asked) ? capital : `The capital of ${country} is ${capital}.`;
}
