/**
 * WebSockets at /graphql, protocol graphql-transport-ws only.
 *
 * graphql-ws does the protocol; this file does what it leaves open: bad frames, floods of messages, the number
 * of operations and their end, keep-alive, who is asking, and closing with a code that says why.
 *
 *   1001 going away        1003 binary frame      1008 flood of messages
 *   1009 frame too big     1013 keys cannot be checked, or too many sockets without a key
 *   4400 no valid message  4401 no init before    4403 key refused         4406 another protocol
 *   4408 no init in time   4409 id in use         4429 second init         4500 our fault
 */
import { createAllowance } from './allowance.mjs';
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL, handleProtocols, makeServer } from 'graphql-ws';
import { getGraphQLWSOptions } from '@graphql-hive/gateway-runtime';
import { WebSocketServer } from 'ws';
import { codedError } from './errors.mjs';
import { clientAddress, networkOf, requestId, traceContext } from './forwarding.mjs';
import { KeyRefused } from './identity.mjs';
import { MAX_BODY_BYTES } from './intake.mjs';
import { refusedAtFirst, SubscriptionRefused, typeOf } from './refusals.mjs';
import { checkParams, parseJson } from './request_guards.mjs';
import { createEnding } from './streams.mjs';
import { ANONYMOUS } from './tokens.mjs';
import { acceptUpgrades } from './upgrades.mjs';

const MAX_OPERATIONS = 100;
const INIT_TIMEOUT_MS = 3000;
/** Unsent answers of a client that asks and does not read. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** For the close frame of a socket whose messages are no longer heard. */
const LAST_WORD_MS = 3000;
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;
/** The protocol before this one, which clients of the package subscriptions-transport-ws still offer. */
const EARLIER_PROTOCOL = 'graphql-ws';
const RIGHT_PROTOCOL = `Use the subprotocol ${GRAPHQL_TRANSPORT_WS_PROTOCOL}`;

/**
 * @param {object} parts
 * @param {import('node:http').Server} parts.server
 * @param {ReturnType<import('./graphql.mjs').createGraph>} parts.graph
 * @param {ReturnType<import('./identity.mjs').createIdentity>['identify']} parts.identify
 * @param {ReturnType<import('./keys.mjs').createKeys>} parts.keys
 * @param {ReturnType<import('./limits.mjs').createLimits>} parts.limits
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {number} parts.trustedProxyHops
 * @param {number} parts.pingSeconds
 * @param {import('./log.mjs').Log} parts.log
 */
export function attachWebSockets(parts) {
  const { server, graph, identify, keys, limits, metrics, trustedProxyHops, pingSeconds, log } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BODY_BYTES,
    maxFragments: 256,
    closeTimeout: 3000,
    // A browser hears nothing from a server that takes none of the protocols it offers.
    handleProtocols: (offered) =>
      handleProtocols(offered) || (offered.has(EARLIER_PROTOCOL) ? EARLIER_PROTOCOL : false),
    // A pair of compressors for each of thousands of sockets, for events of a few hundred bytes; and one memory of
    // what went before would let the lengths of later events tell of secrets in earlier ones.
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
      const values = extra.sizes.get(id);
      extra.sizes.delete(id);
      if (Object.keys(context.subscriptions).length > MAX_OPERATIONS) {
        return [
          codedError('TOO_MANY_OPERATIONS', `A socket may run ${MAX_OPERATIONS} operations at a time.`),
        ];
      }
      const ending = extra.begin(id);
      const refused = (error) => {
        ending.abort();
        return [error];
      };
      if (!(await extra.admit())) {
        return refused(codedError('UNAUTHENTICATED', 'The API key is no longer valid.'));
      }
      try {
        checkParams(payload);
      } catch (error) {
        return refused(error);
      }
      // One session an operation: each is identified, charged and traced on its own.
      extra.operation = { ...extra.session, ending, values };
      return hive.onSubscribe(context, id, payload);
    },
    /** HTTP statuses mean nothing here. */
    onNext(_context, _id, _payload, _args, { errors, extensions, ...result }) {
      const { http: _, ...shown } = extensions ?? {};
      return { ...result, ...(errors ? { errors: errors.map(withoutHttp) } : {}), extensions: shown };
    },
    onError(_context, _id, _payload, errors) {
      const refused = errors[0]?.originalError;
      if (!(refused instanceof SubscriptionRefused)) return errors.map(withoutHttp);
      const { requestId: ofRequest } = refused.result.extensions ?? {};
      return refused.result.errors
        .map(withoutHttp)
        .map((error) => ({ ...error, extensions: { ...error.extensions, requestId: ofRequest } }));
    },
    onOperation(_context, _id, payload, args, result) {
      const { operation, operationType, requestId: id, ending } = args.contextValue.session;
      if (!result?.[Symbol.asyncIterator]) ending.abort();
      if (operationType) metrics.operations.inc({ type: operationType, transport: 'websocket' });
      log.request('operation', !result?.errors, { operation, type: operationType, request_id: id });
      return (operationType ?? typeOf(payload)) === 'subscription' ? refusedAtFirst(result) : undefined;
    },
  });

  function opened(socket, request, place) {
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) {
      turnAway(socket);
      return;
    }
    const began = performance.now();
    metrics.sockets.inc();
    const extra = createExtra(socket, request, place);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) =>
          new Promise((resolve, reject) => {
            if (socket.readyState !== socket.OPEN) resolve();
            else socket.send(data, (error) => (error ? reject(error) : resolve()));
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          socket.on('message', (data, isBinary) => receive(socket, extra, take, data, isBinary)),
      },
      extra,
    );
    for (const frame of ['ping', 'pong']) socket.on(frame, (data) => pass(socket, extra, data.length));
    const stopPinging = keepAlive(socket);
    socket.on('error', () => {}); // ws closes with the right code by itself (1009, 1002, 1007)
    socket.once('close', (code, reason) => {
      stopPinging();
      extra.end();
      metrics.sockets.dec();
      Promise.resolve(closed(code, String(reason))).catch(() => {});
      log.info('websocket', {
        code,
        ms: Math.round(performance.now() - began),
        request_id: extra.session.requestId,
      });
    });
  }

  /** Tell a client of another protocol which one is spoken here, in the words of its own where they are known. */
  function turnAway(socket) {
    socket.on('error', () => {});
    if (socket.protocol === EARLIER_PROTOCOL)
      socket.send(JSON.stringify({ type: 'connection_error', payload: { message: RIGHT_PROTOCOL } }));
    socket.close(CloseCode.SubprotocolNotAcceptable, RIGHT_PROTOCOL);
  }

  function createExtra(socket, request, place) {
    const network = networkOf(clientAddress(request, trustedProxyHops));
    const endings = new Map();
    /** How many values the messages hold whose operations have not begun. */
    const sizes = new Map();
    let release;
    const extra = {
      request,
      sizes,
      authorization: undefined,
      flooded: false,
      session: {
        requestId: requestId(request.headers),
        owner: network,
        network,
        principal: undefined,
        streams: true,
        ...traceContext(request.headers),
      },
      allowance: createAllowance(async () => {
        if (!(await limits.charge(extra.session, 1)).allowed) flooded(socket, extra);
      }),
      /** Ask who this is: true, or the socket is closed. */
      async admit() {
        try {
          const principal = await identify(extra.authorization, network);
          extra.session.principal = principal;
          extra.session.owner = principal === ANONYMOUS ? network : principal.account;
          return take(principal);
        } catch (error) {
          close(error);
          return false;
        }
      },
      /** The ending of an operation, which the socket's own end is too. */
      begin(id) {
        const ending = createEnding();
        endings.set(id, ending);
        ending.signal.addEventListener('abort', () => {
          if (endings.get(id) === ending) endings.delete(id);
        });
        return ending;
      },
      /** This operation, or every one, is not waited for any more. */
      complete: (id) => endings.get(id)?.abort(),
      end() {
        release?.();
        for (const ending of endings.values()) ending.abort();
      },
    };

    function take(principal) {
      if (principal === ANONYMOUS) {
        if (place.anonymous()) return true;
        socket.close(TRY_AGAIN_LATER, 'Too many sockets without a key');
        return false;
      }
      place.known();
      if (socket.readyState === socket.OPEN) release ??= keys.hold(principal, close);
      return true;
    }
    function close(error) {
      const refused = error instanceof KeyRefused;
      socket.close(
        refused ? CloseCode.Forbidden : TRY_AGAIN_LATER,
        refused ? error.reason : 'Try again later',
      );
      extra.end();
    }
    return extra;
  }

  /** Count what a client has sent; false when it is too much, and the socket is closed. */
  function pass(socket, extra, bytes) {
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) {
      socket.terminate();
      return false;
    }
    if (extra.allowance.take(bytes)) return socket.readyState === socket.OPEN;
    flooded(socket, extra);
    return false;
  }

  /**
   * Say why, hear no more, and do not wait for an answer. What still comes is thrown away unread: an end with
   * something unread is a reset, which many clients hear before the reason.
   */
  function flooded(socket, extra) {
    if (extra.flooded) return;
    extra.flooded = true;
    if (socket.readyState !== socket.OPEN) {
      socket.terminate();
      return;
    }
    metrics.refuse({ code: 'TOO_MANY_MESSAGES' });
    extra.end();
    socket.close(POLICY_VIOLATION, 'Too many messages');
    const raw = extra.request.socket;
    raw.removeAllListeners('data');
    raw.resume();
    setTimeout(() => socket.terminate(), LAST_WORD_MS);
  }

  async function receive(socket, extra, take, data, isBinary) {
    if (!pass(socket, extra, data.length)) return;
    if (isBinary) {
      socket.close(UNSUPPORTED_DATA, 'Send text');
      return;
    }
    try {
      // Refuses deep nesting and too many values; graphql-ws parses again and judges the message.
      const { value: message, values } = parseJson(data);
      if (message?.type === 'complete') extra.complete(message.id);
      if (message?.type === 'subscribe') extra.sizes.set(message.id, values);
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

  /** Ping, and drop a peer that is silent. */
  function keepAlive(socket) {
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
    }, pingSeconds * 1000);
    return () => clearInterval(timer);
  }

  let closing = false;
  acceptUpgrades({
    server,
    sockets,
    networkOf: (request) => networkOf(clientAddress(request, trustedProxyHops)),
    opened,
    closing: () => closing,
  });

  return {
    close() {
      closing = true;
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
