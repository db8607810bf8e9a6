// A service of the project. It listens at the port that Salvo hands over.
import { createServer } from 'node:http';

const RATES = { USD: 1.25, CHF: 0.95 };

createServer((request, response) => {
  if (request.url === '/health') return response.end('ok');
  const rate = RATES[request.url.replace('/rates/', '')];
  response.writeHead(rate === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ rate }));
}).listen(Number(process.env.PORT), '127.0.0.1');
