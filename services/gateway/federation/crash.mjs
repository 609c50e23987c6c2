/**
 * What happens to an uncaught exception: it is logged with its stack, the request that it came from is
 * answered, and the process lets another take its place, since what the exception left half done is not known.
 * It never ends the process at once: that would end every other request and socket with it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { sendProblem } from './problems.mjs';

/**
 * The request that the running code works for.
 * @type {AsyncLocalStorage<{ requestId: string, response: import('node:http').ServerResponse }>}
 */
export const underWay = new AsyncLocalStorage();

/**
 * @param {{ log: import('./log.mjs').Log, replace: () => void }} options
 *   `replace`: called once, with the first exception
 */
export function catchUncaught({ log, replace }) {
  let replacing = false;
  // Also told of promises that were rejected unheard. It must not throw: that would end the process.
  process.on('uncaughtException', (error, origin) => {
    const request = underWay.getStore();
    try {
      log.error('uncaught', {
        origin,
        request_id: request?.requestId,
        error: String(error?.message ?? error),
        stack: error?.stack,
      });
      if (request) answerFault(request.response);
    } finally {
      if (!replacing) {
        replacing = true;
        replace();
      }
    }
  });
  // Whoever read our log has gone: there is nowhere left to complain.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/**
 * Answer a request that met a fault of ours, as far as it can still be answered.
 * @param {import('node:http').ServerResponse} response
 */
export function answerFault(response) {
  if (response.headersSent || response.destroyed) response.destroy();
  else sendProblem(response, 500, 'INTERNAL_SERVER_ERROR', 'Unexpected error.', { connection: 'close' });
}
