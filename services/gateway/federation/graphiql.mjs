/**
 * GraphiQL for browsers, served whole from the installed package: the page loads nothing from anywhere else,
 * and its Content-Security-Policy says so.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const DEFAULT_QUERY = `# Hearthforge: one graph over five game systems.
#
# Sign in: open "Headers" below and set
#   { "authorization": "Bearer hf_live_..." }
# with a key of yours (infra/key makes the first one). Press Ctrl-Enter to run.

query Hello {
  __typename
}
`;

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M8 1l6 3.5v7L8 15l-6-3.5v-7z' fill='%23c2410c'/%3E%3C/svg%3E";

const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "connect-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @type {Promise<{ body: Buffer, etag: string }> | undefined} */
let page;

async function render() {
  // 9 MB of script: loaded when the first browser asks, kept compressed only.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const html = renderGraphiQL({
    title: 'Hearthforge GraphiQL',
    favicon: ICON,
    defaultQuery: DEFAULT_QUERY,
    headers: JSON.stringify({ authorization: '' }, null, 2),
    subscriptionsProtocol: 'SSE', // takes the same headers as queries; WebSockets could not
  });
  const body = await promisify(gzip)(html);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export async function sendGraphiql(request, response) {
  page ??= render();
  const { body, etag } = await page;
  response.setHeader('etag', etag);
  response.setHeader('cache-control', 'no-cache');
  response.setHeader('vary', 'accept, accept-encoding');
  response.setHeader('content-security-policy', POLICY);
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  const packed = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const bytes = packed ? body : await promisify(gunzip)(body);
  if (packed) response.setHeader('content-encoding', 'gzip');
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
}

/** A browser that opens the address, rather than a client that asks something. */
export function wantsGraphiql(request, url) {
  return (
    request.method === 'GET' &&
    !url.searchParams.has('query') &&
    /\btext\/html\b/.test(request.headers.accept ?? '')
  );
}
