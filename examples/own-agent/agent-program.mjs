// An agent as a program, in any language: one JSON document in, one turn (or a whole trace) out.
let input = '';
for await (const chunk of process.stdin) input += chunk;
const { messages } = JSON.parse(input);
const last = messages.at(-1);

const turn =
  last.role === 'tool_result'
    ? { content: `I looked it up: ${last.content}`, cost_usd: 0.00002 }
    : {
        tool_calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
        cost_usd: 0.00001,
      };
process.stdout.write(JSON.stringify(turn));
