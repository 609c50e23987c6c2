/**
 * Passes every path that is not the graph on to the Python app: bodies stream both ways, a client that goes
 * away ends the request behind it, and an app that is away is a 502 problem.
 */
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { endToEndHeaders, withoutInternalHeaders } from './forwarding.mjs';

const FIRST_BYTE_TIMEOUT_MS = 60_000;
/** Uvicorn closes idle connections after 5 s: let go of them earlier, or a request meets a closing socket. */
const IDLE_MS = 4000;

/**
 * @param {{ accountUrl: string, publicUrl: URL, log: import('./log.mjs').Log }} options
 */
export function createProxy({ accountUrl, publicUrl, log }) {
  const target = new URL(accountUrl);
  const secure = target.protocol === 'https:';
  const send = secure ? httpsRequest : httpRequest;
  const agent = secure ? undefined : new Agent({ keepAlive: true, timeout: IDLE_MS, maxSockets: 256 });

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   * @param {{ path: string, requestId: string, address: string }} hop
   */
  function proxy(request, response, { path, requestId, address }) {
    const upstream = send({
      host: target.hostname,
      port: target.port || (secure ? 443 : 80),
      path: target.pathname.replace(/\/$/, '') + path,
      method: request.method,
      agent,
      headers: {
        ...withoutInternalHeaders(endToEndHeaders(request.headers)),
        'x-request-id': requestId,
        'x-forwarded-for': address,
        'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
        'x-forwarded-host': request.headers.host ?? publicUrl.host,
      },
    });
    const patience = setTimeout(() => upstream.destroy(new Error('timeout')), FIRST_BYTE_TIMEOUT_MS);

    upstream.once('response', (answer) => {
      clearTimeout(patience);
      const headers = withoutCors(endToEndHeaders(answer.headers));
      headers['x-request-id'] = requestId;
      response.writeHead(answer.statusCode, headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    upstream.once('error', (error) => {
      clearTimeout(patience);
      if (response.destroyed) return;
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const late = error.message === 'timeout';
      log.warning('upstream_failed', { request_id: requestId, reason: error.code ?? error.message });
      sendProblem(
        response,
        late ? 504 : 502,
        late ? 'GATEWAY_TIMEOUT' : 'BAD_GATEWAY',
        'The service behind this path does not answer.',
      );
    });
    response.once('close', () => {
      clearTimeout(patience);
      if (!response.writableFinished) upstream.destroy();
    });
    // The app may answer before it has read everything (413). Somebody has to read the rest: what stays in the
    // connection would be in the way of the client's next request there, which would wait for ever.
    upstream.once('close', () => {
      request.unpipe(upstream);
      request.resume();
    });
    request.pipe(upstream);
  }

  return { proxy, close: () => agent?.destroy() };
}

const TITLES = {
  400: 'Bad Request',
  404: 'Not Found',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/**
 * An RFC 9457 problem.
 * @param {import('node:http').ServerResponse} response
 * @param {number} status
 * @param {string} code
 * @param {string} detail
 */
export function sendProblem(response, status, code, detail) {
  const body = JSON.stringify({ type: 'about:blank', title: TITLES[status], status, code, detail });
  response.writeHead(status, {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** CORS is answered at the door; a second set of headers would make browsers refuse the answer. */
function withoutCors(headers) {
  for (const name of Object.keys(headers)) if (name.startsWith('access-control-')) delete headers[name];
  return headers;
}
