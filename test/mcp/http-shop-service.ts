// The MCP server behind a URL as a program: it listens at the port in $PORT.
import { startHttpShop } from './http-shop.ts';

await startHttpShop(undefined, Number(process.env.PORT));
