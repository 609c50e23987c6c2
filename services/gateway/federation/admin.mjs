/** The private port, on 127.0.0.1 unless told otherwise: is it alive, is it ready, what has it counted. */
import { createServer } from 'node:http';

/**
 * @param {object} parts
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {() => Promise<{ ready: boolean, checks: Record<string, string> }>} parts.readiness
 */
export function createAdmin({ metrics, readiness }) {
  return createServer(async (request, response) => {
    const path = request.url.split('?', 1)[0];
    if (path === '/healthz') {
      sendJson(response, 200, { status: 'ok' });
    } else if (path === '/readyz') {
      const { ready, checks } = await readiness();
      sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', checks });
    } else if (path === '/metrics') {
      response.writeHead(200, { 'content-type': metrics.registry.contentType });
      response.end(await metrics.registry.metrics());
    } else {
      sendJson(response, 404, { status: 'not found' });
    }
  });
}

function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
