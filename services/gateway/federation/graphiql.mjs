/**
 * GraphiQL for browsers, served whole from the installed package: the page loads nothing from anywhere else,
 * and its Content-Security-Policy says so.
 */
import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { preferredCoding } from './codings.mjs';
import { NOSNIFF, sendProblem } from './problems.mjs';

const DEFAULT_QUERY = `# Hearthforge: one graph over five game systems.
#
# Sign in: open "Headers" below and set
#   { "authorization": "Bearer hf_live_..." }
# with a key of yours (infra/key makes the first one). Press Ctrl-Enter to run.

query Hello {
  __typename
}
`;

/** Without it a phone draws the page as wide as a desk's screen, and tiny. */
const VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">';
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

/** How the page is kept, best first. The plain one is not: it has 9 MB, and every browser takes one of these. */
const CODINGS = {
  br: (html) => promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (html) => promisify(gzip)(html),
};
const CACHED = 'public, max-age=3600';
/** What opening the page takes from its asker's points. */
const POINTS = 5;

/** @type {Promise<Record<string, { body: Buffer, etag: string }>> | undefined} */
let page;

async function render() {
  // Loaded when the first browser asks; to load, to render and to compress 9 MB are a step each.
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  await pause();
  const html = withViewport(renderGraphiQL({
    title: 'Hearthforge GraphiQL',
    favicon: ICON,
    defaultQuery: DEFAULT_QUERY,
    headers: JSON.stringify({ authorization: '' }, null, 2),
    subscriptionsProtocol: 'SSE', // takes the same headers as queries; WebSockets could not
  }));
  await pause();
  const kept = Object.entries(CODINGS).map(async ([coding, compress]) => {
    const body = await compress(html);
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    return [coding, { body, etag }];
  });
  return Object.fromEntries(await Promise.all(kept));
}

/** The page with a viewport, unless a newer version of the package brings one. */
function withViewport(html) {
  const head = html.slice(0, html.indexOf('<script'));
  return /<meta[^>]*name="viewport"/.test(head) ? html : html.replace('<head>', `<head>${VIEWPORT}`);
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {(points: number) => Promise<import('./limits.mjs').Charge>} charge  takes points from whoever asks
 */
export async function sendGraphiql(request, response, charge) {
  const { allowed, retryAfter } = await charge(POINTS);
  if (!allowed) {
    const headers = { 'retry-after': String(retryAfter) };
    sendProblem(response, 429, 'RATE_LIMITED', 'The bucket of points is empty for the moment.', headers);
    return;
  }
  const coding = preferredCoding(request.headers['accept-encoding'], Object.keys(CODINGS));
  response.setHeader('vary', 'accept, accept-encoding');
  if (!coding) {
    const wanted = `Accept one of the codings ${Object.keys(CODINGS).join(', ')}.`;
    sendProblem(response, 406, 'NOT_ACCEPTABLE', wanted);
    return;
  }
  page ??= render().catch((error) => {
    page = undefined; // the next browser may have more luck
    throw error;
  });
  const { body, etag } = (await page)[coding];
  const headers = { ...NOSNIFF, etag, 'cache-control': CACHED, 'content-security-policy': POLICY };
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': coding,
    'content-length': body.length,
  });
  response.end(body);
}

/** Whether If-None-Match names the page (RFC 9110, 13.1.2: compared weakly, since caches weaken it). */
function isKnown(named = '', etag) {
  return named.split(',').some((member) => ['*', etag].includes(member.trim().replace(/^W\//, '')));
}

/** A browser that opens the address, rather than a client that asks something. */
export function wantsGraphiql(request, url) {
  return (
    request.method === 'GET' &&
    !url.searchParams.has('query') &&
    /\btext\/html\b/.test(request.headers.accept ?? '')
  );
}
