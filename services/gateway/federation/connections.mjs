/**
 * What a connection may do before its request is there, and what is said to one whose request cannot be read.
 */
import { networkOf, peerAddress } from './forwarding.mjs';
import { rawProblem } from './problems.mjs';

/** Settings of Node's server; times in milliseconds. */
export const SERVER_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Only a backstop: the intake ends slow bodies long before, and knows which may take time. */
  requestTimeout: 30 * 60_000,
  connectionsCheckingInterval: 2000,
  /** Longer than the usual minute of load balancers, so that they are the ones who let go. */
  keepAliveTimeout: 65_000,
  /** Missing and doubled hosts are refused together with the other ambiguities. */
  requireHostHeader: false,
};
const MAX_REQUESTS_PER_CONNECTION = 10_000;
const MAX_CONNECTIONS = 16_384;
/** Connections of one network without a request under way; a browser has six. */
const MAX_IDLE_PER_NETWORK = 512;

/** By the error's code: what a client is told whose bytes are not a request. */
const UNREADABLE = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'REQUEST_TIMEOUT', 'The request did not come in time.'],
  HPE_HEADER_OVERFLOW: [431, 'HEADERS_TOO_LARGE', 'The headers have more than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'BODY_TOO_LARGE', 'The chunk extensions are too long.'],
};
const MALFORMED = [400, 'BAD_REQUEST', 'This is not a sound HTTP/1.1 request.'];

/**
 * @param {import('node:http').Server} server
 * @param {{ trustedProxyHops: number }} options  a trusted proxy in front shares its connections between its clients
 */
export function guardConnections(server, { trustedProxyHops }) {
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  server.maxConnections = MAX_CONNECTIONS;
  /** Requests of a connection that have no whole answer yet. @type {WeakMap<import('node:net').Socket, number>} */
  const unanswered = new WeakMap();
  const idle = trustedProxyHops === 0 ? createIdle() : undefined;

  server.on('connection', (socket) => idle?.add(socket));
  server.on('upgrade', (_request, socket) => idle?.remove(socket));
  server.on('clientError', (error, socket) => {
    // A second answer on a connection that waits for a first would be taken for it.
    if (!socket.writable || error.code === 'ECONNRESET' || unanswered.get(socket) > 0) socket.destroy(error);
    else socket.end(rawProblem(...(UNREADABLE[error.code] ?? MALFORMED)), () => socket.destroy());
  });

  return {
    /**
     * A request has come: its connection is at work until it is answered.
     * @param {import('node:http').IncomingMessage} request
     * @param {import('node:http').ServerResponse} response
     */
    begin({ socket }, response) {
      unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
      idle?.remove(socket);
      response.once('close', () => {
        unanswered.set(socket, unanswered.get(socket) - 1);
        if (!socket.destroyed && unanswered.get(socket) === 0) idle?.add(socket);
      });
    },
  };
}

/** Idle connections by network. Where there are too many, the one that has been idle longest is closed. */
function createIdle() {
  /** @type {Map<string, Set<import('node:net').Socket>>} */
  const byNetwork = new Map();
  /** @type {WeakMap<import('node:net').Socket, string>} */
  const networks = new WeakMap();

  function remove(socket) {
    const network = networks.get(socket);
    const own = byNetwork.get(network);
    if (own?.delete(socket) && own.size === 0) byNetwork.delete(network);
  }

  return {
    remove,
    add(socket) {
      if (socket.destroyed) return;
      if (!networks.has(socket)) {
        networks.set(socket, networkOf(peerAddress(socket)));
        socket.once('close', () => remove(socket));
      }
      const network = networks.get(socket);
      const own = byNetwork.get(network) ?? new Set();
      byNetwork.set(network, own.add(socket));
      if (own.size > MAX_IDLE_PER_NETWORK) own.values().next().value.destroy();
    },
  };
}
