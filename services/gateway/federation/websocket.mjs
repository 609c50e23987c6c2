/**
 * WebSockets at /graphql, protocol graphql-transport-ws only.
 *
 * graphql-ws does the protocol; this file does what it leaves open: bad frames, the number of operations,
 * keep-alive, who is asking, and closing with a code that says why.
 *
 *   1001 going away        1003 binary frame      1009 frame too big       1013 keys cannot be checked
 *   4400 no valid message  4401 no init before    4403 key refused         4406 another protocol
 *   4408 no init in time   4409 id in use         4429 second init         4500 our fault
 */
import { GraphQLError } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { getGraphQLWSOptions } from '@graphql-hive/gateway-runtime';
import { WebSocketServer } from 'ws';
import { clientAddress, requestId, traceContext } from './forwarding.mjs';
import { KeyRefused } from './identity.mjs';
import { MAX_BODY_BYTES } from './intake.mjs';
import { checkParams, parseJson } from './request_guards.mjs';
import { ANONYMOUS } from './tokens.mjs';

const MAX_OPERATIONS = 100;
const INIT_TIMEOUT_MS = 3000;
const KEEP_ALIVE_MS = 12_000;
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const TRY_AGAIN_LATER = 1013;

/**
 * @param {object} parts
 * @param {import('node:http').Server} parts.server
 * @param {ReturnType<import('./graphql.mjs').createGraph>} parts.graph
 * @param {ReturnType<import('./identity.mjs').createIdentity>} parts.identify
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {number} parts.trustedProxyHops
 * @param {import('./log.mjs').Log} parts.log
 */
export function attachWebSockets({ server, graph, identify, metrics, trustedProxyHops, log }) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    handleProtocols,
    perMessageDeflate: false,
  });
  const hive = getGraphQLWSOptions(graph, ({ extra }) => ({
    session: extra.operation,
    // Plugins of the runtime do nothing without a request. A POST: the upgrade was a GET, which may not mutate.
    request: new graph.fetchAPI.Request('http://gateway/graphql', {
      method: 'POST',
      headers: extra.request.headers,
    }),
  }));

  const protocol = makeServer({
    ...hive,
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    async onConnect({ connectionParams, extra }) {
      extra.authorization = authorizationOf(connectionParams) ?? extra.request.headers.authorization;
      return await extra.admit();
    },
    async onSubscribe(context, id, payload) {
      const { extra } = context;
      if (Object.keys(context.subscriptions).length > MAX_OPERATIONS) {
        return [refusal('TOO_MANY_OPERATIONS', `A socket may run ${MAX_OPERATIONS} operations at a time.`)];
      }
      if (!(await extra.admit())) return [refusal('UNAUTHENTICATED', 'The API key is no longer valid.')];
      try {
        checkParams(payload);
      } catch (error) {
        return [error];
      }
      // One session an operation: each is identified, charged and traced on its own.
      extra.operation = { ...extra.session };
      return hive.onSubscribe(context, id, payload);
    },
    /** HTTP statuses mean nothing here. */
    onNext(_context, _id, _payload, _args, { errors, extensions, ...result }) {
      const { http: _, ...shown } = extensions ?? {};
      return { ...result, ...(errors ? { errors: errors.map(withoutHttp) } : {}), extensions: shown };
    },
    onError: (_context, _id, _payload, errors) => errors.map(withoutHttp),
    onOperation(_context, _id, _payload, args) {
      const { operation, operationType, requestId: id } = args.contextValue.session;
      if (operationType) metrics.operations.inc({ type: operationType, transport: 'websocket' });
      log.info('operation', { operation, type: operationType, request_id: id });
    },
  });

  sockets.on('connection', (socket, request) => {
    const began = performance.now();
    metrics.sockets.inc();
    const extra = createExtra(socket, request);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) =>
          new Promise((resolve, reject) => {
            if (socket.readyState !== socket.OPEN) resolve();
            else socket.send(data, (error) => (error ? reject(error) : resolve()));
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) => socket.on('message', (data, isBinary) => receive(socket, take, data, isBinary)),
      },
      extra,
    );
    const stopPinging = keepAlive(socket, extra);
    socket.on('error', () => {}); // ws closes with the right code by itself (1009, 1002, 1007)
    socket.once('close', (code, reason) => {
      stopPinging();
      metrics.sockets.dec();
      Promise.resolve(closed(code, String(reason))).catch(() => {});
      log.info('websocket', {
        code,
        ms: Math.round(performance.now() - began),
        request_id: extra.session.requestId,
      });
    });
  });

  function createExtra(socket, request) {
    const address = clientAddress(request, trustedProxyHops);
    const extra = {
      request,
      authorization: undefined,
      session: {
        requestId: requestId(request.headers),
        owner: address,
        principal: undefined,
        streams: true,
        ...traceContext(request.headers),
      },
      /** Ask again who this is: true, or the socket is closed. */
      async admit() {
        try {
          const principal = await identify(extra.authorization);
          extra.session.principal = principal;
          extra.session.owner = principal === ANONYMOUS ? address : principal.account;
          return true;
        } catch (error) {
          const refused = error instanceof KeyRefused;
          socket.close(
            refused ? CloseCode.Forbidden : TRY_AGAIN_LATER,
            refused ? error.reason : 'Try again later',
          );
          return false;
        }
      },
    };
    return extra;
  }

  async function receive(socket, take, data, isBinary) {
    if (isBinary) {
      socket.close(UNSUPPORTED_DATA, 'Send text');
      return;
    }
    try {
      parseJson(data); // refuses deep nesting; graphql-ws parses again and judges the message
    } catch {
      socket.close(CloseCode.BadRequest, 'Invalid message received');
      return;
    }
    try {
      await take(String(data));
    } catch (error) {
      log.error('websocket_failed', { error: error.message, stack: error.stack });
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    }
  }

  /** Ping; drop a peer that is silent; close when its key has died meanwhile. */
  function keepAlive(socket, extra) {
    let alive = true;
    socket.on('pong', () => {
      alive = true;
    });
    const timer = setInterval(() => {
      if (!alive) {
        socket.terminate();
        return;
      }
      alive = false;
      socket.ping();
      if (extra.session.principal) extra.admit();
    }, KEEP_ALIVE_MS);
    return () => clearInterval(timer);
  }

  server.on('upgrade', (request, socket, head) => {
    if (request.url.split('?', 1)[0] !== '/graphql') {
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      sockets.emit('connection', webSocket, request),
    );
  });

  return {
    close() {
      for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away');
    },
    terminate() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

/** @param {Record<string, unknown> | undefined} params  the payload of connection_init */
function authorizationOf(params) {
  const given = params?.authorization ?? params?.Authorization;
  if (given !== undefined) return String(given);
  return params?.apiKey === undefined ? undefined : `Bearer ${params.apiKey}`;
}

function withoutHttp(error) {
  const { extensions: { http: _, unexpected: __, ...extensions } = {}, ...rest } = error.toJSON();
  return { ...rest, extensions };
}

const refusal = (code, message) => new GraphQLError(message, { extensions: { code } });
