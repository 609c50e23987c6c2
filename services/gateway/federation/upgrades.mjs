/**
 * Upgrades to WebSockets, until ws takes them over: who may have how many, and raw sockets that behave.
 *
 * An upgraded connection has no owner: node:http has let go of it, and an error without a listener ends the
 * process. So before anything else each gets a listener, and each that is refused is answered and closed, or a
 * client that never closes its half would keep it open for ever.
 */
import { NOSNIFF } from './problems.mjs';
import { add } from './streams.mjs';

/** WebSockets of one network: all of them; those that have not said who they are yet; those without a key. */
const MAX_SOCKETS = 1000;
const MAX_UNKNOWN = 300;
const MAX_ANONYMOUS = 50;
const RETRY_AFTER_S = 5;
const ANSWER_MS = 3000;

const REASONS = { 404: 'Not Found', 429: 'Too Many Requests', 503: 'Service Unavailable' };

/** Answer a raw socket and close it, whether or not its client does. */
function refuse(socket, status, headers = {}) {
  const lines = Object.entries({ connection: 'close', 'content-length': 0, ...NOSNIFF, ...headers });
  socket.once('finish', () => socket.destroy());
  const patience = setTimeout(() => socket.destroy(), ANSWER_MS);
  socket.once('close', () => clearTimeout(patience));
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
}

/**
 * Pass upgrades of /graphql on to a WebSocket server.
 * @param {object} parts
 * @param {import('node:http').Server} parts.server
 * @param {import('ws').WebSocketServer} parts.sockets
 * @param {(request: import('node:http').IncomingMessage) => string} parts.networkOf
 * @param {(socket: import('ws').WebSocket, request: import('node:http').IncomingMessage, place: Place) => void} parts.opened
 * @param {() => boolean} parts.closing  whether nothing new is taken
 *
 * @typedef {object} Place  the place that a socket has among those of its network
 * @property {() => boolean} anonymous  say that it has no key; false when there are too many of these
 * @property {() => void} known  say that it has one
 */
export function acceptUpgrades({ server, sockets, networkOf, opened, closing }) {
  const counts = { all: new Map(), unknown: new Map(), anonymous: new Map(), known: new Map() };
  const count = (kind, network) => counts[kind].get(network) ?? 0;

  function takePlace(socket, network) {
    let kind = 'unknown';
    add(counts.all, network, 1);
    add(counts.unknown, network, 1);
    const become = (next) => {
      add(counts[kind], network, -1);
      add(counts[next], network, 1);
      kind = next;
    };
    socket.once('close', () => {
      add(counts.all, network, -1);
      add(counts[kind], network, -1);
    });
    return {
      anonymous() {
        if (kind === 'anonymous') return true;
        if (count('anonymous', network) >= MAX_ANONYMOUS) return false;
        become('anonymous');
        return true;
      },
      known() {
        if (kind !== 'known') become('known');
      },
    };
  }

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const network = networkOf(request);
    if (closing()) {
      refuse(socket, 503, { 'retry-after': RETRY_AFTER_S });
    } else if (request.url.split('?', 1)[0] !== '/graphql') {
      refuse(socket, 404);
    } else if (count('all', network) >= MAX_SOCKETS || count('unknown', network) >= MAX_UNKNOWN) {
      refuse(socket, 429, { 'retry-after': RETRY_AFTER_S });
    } else {
      const place = takePlace(socket, network);
      sockets.handleUpgrade(request, socket, head, (webSocket) => opened(webSocket, request, place));
    }
  });
}
