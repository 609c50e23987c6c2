/**
 * The one public HTTP server: the graph at /graphql, everything else to the Python app behind it.
 */
import { createServer } from 'node:http';
import { answerExtensions } from './graphql.mjs';
import { guardConnections, SERVER_OPTIONS } from './connections.mjs';
import { answerFault, underWay as running } from './crash.mjs';
import { EncodedResponse } from './encoded_response.mjs';
import { codedError, rateLimited } from './errors.mjs';
import { ambiguity, clientAddress, hasBody, networkOf, requestId, traceContext } from './forwarding.mjs';
import { sendGraphiql, wantsGraphiql } from './graphiql.mjs';
import { IdentityUnavailable, KeyRefused, ticketOf } from './identity.mjs';
import { createIntake } from './intake.mjs';
import { countedAs } from './metrics.mjs';
import { createPersisted } from './persisted.mjs';
import { NOSNIFF, Refused, sendProblem } from './problems.mjs';
import { readGraphqlRequest } from './request_guards.mjs';
import { lastEventId } from './resuming.mjs';
import { createEnding, createUnsent } from './streams.mjs';
import { classify } from './targets.mjs';
import { ANONYMOUS } from './tokens.mjs';
import { beyond, MOST, scanJson } from './values.mjs';

/** Paths that take a whole file from whoever has a key, and how large it may be (rest/guard.py says the same). */
const UPLOADS = [
  { method: 'POST', path: /^\/v1\/maps\/import$/, most: 64 * 1024 * 1024 },
  { method: 'PUT', path: /^\/v1\/characters\/[^/]+\/portrait$/, most: 4 * 1024 * 1024 },
];
const uploadOf = ({ method }, { pathname }) =>
  UPLOADS.find((one) => one.method === method && one.path.test(pathname));

/** A peer that has vanished is found by probes of TCP: after this, one a second, ten of them. */
const PROBE_AFTER_MS = 5000;
/** How often, while the patience with it lasts, a client is looked at that takes nothing of its stream. */
const LOOKS = 6;
/** Nonsense is not free. */
const REFUSAL_COST = 1;
/** After these it is not certain where the next request begins. */
const ENDING = new Set([400, 405, 408, 413]);

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'etag, location, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-request-id, x-map-extent',
};
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const PREFLIGHT = {
  'access-control-allow-methods': METHODS,
  /** Nothing here trusts a cookie, so that any header may come from any page; `*` alone leaves out the key. */
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': '7200',
};

/**
 * @param {object} parts
 * @param {ReturnType<import('./graphql.mjs').createGraph>} parts.graph
 * @param {ReturnType<import('./identity.mjs').createIdentity>['identify']} parts.identify
 * @param {ReturnType<import('./identity.mjs').createIdentity>['identifyTicket']} parts.identifyTicket
 * @param {ReturnType<import('./keys.mjs').createKeys>} parts.keys
 * @param {ReturnType<import('./limits.mjs').createLimits>} parts.limits
 * @param {ReturnType<import('./proxy.mjs').createProxy>} parts.backend
 * @param {ReturnType<import('./readers.mjs').createReaders>} parts.readers
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {number} parts.trustedProxyHops
 * @param {number} parts.unsentSeconds
 * @param {import('./log.mjs').Log} parts.log
 */
export function createDoor({
  graph,
  identify,
  identifyTicket,
  keys,
  limits,
  backend,
  readers,
  metrics,
  trustedProxyHops,
  unsentSeconds,
  log,
}) {
  /** Curl offers h2c on plain connections: only WebSockets are worth an upgrade. */
  const options = {
    ...SERVER_OPTIONS,
    ServerResponse: EncodedResponse,
    shouldUpgradeCallback: (request) => request.headers.upgrade?.toLowerCase() === 'websocket',
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER_MS,
  };
  const intake = createIntake();
  const withQuery = createPersisted();
  const underWay = new Set();
  /** Connections that end with the answer on its way: what they sent after it is not a request. */
  const ending = new WeakSet();
  const server = createServer(options, handle);
  server.on('checkContinue', handle); // the intake says "continue" once it wants the body
  server.on('checkExpectation', handle);
  const connections = guardConnections(server, { trustedProxyHops });

  function handle(request, response) {
    if (ending.has(request.socket)) return;
    connections.begin(request, response);
    const id = requestId(request.headers);
    running.run({ requestId: id, response }, () =>
      answer(request, response, id).catch((error) => {
        log.error('unexpected', { request_id: id, error: error.message, stack: error.stack });
        answerFault(response);
      }),
    );
  }

  async function answer(request, response, id) {
    const address = clientAddress(request, trustedProxyHops);
    const network = networkOf(address);
    response.setHeader('x-request-id', id);
    response.setHeader('access-control-allow-origin', CORS['access-control-allow-origin']);
    response.setHeader('access-control-expose-headers', CORS['access-control-expose-headers']);

    const target = classify(request.url);
    const { route } = target;
    /** @type {import('./graphql.mjs').Session} */
    const session = {
      requestId: id,
      owner: network,
      network,
      streams: /text\/event-stream|\*\/\*/i.test(request.headers.accept ?? '*/*'),
      lastEventId: lastEventId(request.headers),
      ...traceContext(request.headers),
    };
    response.session = session;
    record(request, response, { route, session, path: target.url?.pathname });

    // Node's parser stops after an offer to upgrade, taken or not: the rest of the connection is never read.
    if (request.headers.upgrade !== undefined) endWith(request, response);
    const reason = ambiguity(request);
    if (reason && request.method === 'TRACE') {
      // No path answers it, whatever comes with it.
      refusePlainly(request, response, new Refused(405, 'METHOD_NOT_ALLOWED', reason, { allow: METHODS }));
    } else if (reason) {
      refusePlainly(request, response, new Refused(400, 'BAD_REQUEST', reason));
    } else if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...NOSNIFF, ...PREFLIGHT }).end();
    } else if (route === 'graphql') {
      // The runtime builds an address of these: give it only what has been read and found sound.
      request.url = target.raw;
      request.headers.host = 'gateway';
      for (const [name, value] of Object.entries(NOSNIFF)) response.setHeader(name, value);
      await answerGraphql(request, response, target.url, session, ticketIn(request));
    } else if (route === 'proxy') {
      await pass(request, response, target, { requestId: id, address, network });
    } else if (route === 'closed') {
      refusePlainly(request, response, new Refused(404, 'NOT_FOUND', 'There is nothing here.'));
    } else {
      refusePlainly(request, response, new Refused(400, 'BAD_REQUEST', 'The path is malformed.'));
    }
  }

  const sweep = setInterval(() => {
    for (const { response, unsent } of streams()) {
      if (unsent(response.socket) >= LOOKS) response.destroy();
    }
  }, (unsentSeconds * 1000) / LOOKS).unref();

  const streams = () => [...underWay].filter(({ session }) => session.operationType === 'subscription');

  return {
    server,
    /** Take nothing new, end what would never end, let the rest finish. Resolves when all are gone. */
    async close() {
      clearInterval(sweep);
      readers.close();
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { response } of streams()) response.destroy();
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(idle);
    },
  };

  async function pass(request, response, target, { requestId: id, address, network }) {
    try {
      const body = hasBody(request.headers)
        ? await intake.read(request, response, await allowance(request, target, network))
        : undefined;
      if (body && !uploadOf(request, target.url)) checkValues(body);
      await backend.forward(request, response, { path: target.raw, body, requestId: id, address, network });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusePlainly(request, response, error);
    }
  }

  /** How much of a body is read, and on whose account. Only who has a key may fill memory with a file. */
  async function allowance(request, { url }, network) {
    const most = uploadOf(request, url)?.most;
    if (most === undefined) return { network };
    try {
      const principal = await identify(request.headers.authorization, network);
      return principal === ANONYMOUS ? { network } : { network: principal.account, most };
    } catch {
      return { network }; // the app behind says what is wrong with the key
    }
  }

  /** Let a connection end with this answer. */
  function endWith(request, response) {
    ending.add(request.socket);
    response.shouldKeepAlive = false;
  }

  /** Answer with a problem; a connection with anything unread on it ends with the answer. */
  function refusePlainly(request, response, { status, code, message, headers, more }) {
    if (response.destroyed) return;
    const ends = ENDING.has(status) || isUnread(request);
    if (ends) endWith(request, response);
    sendProblem(response, status, code, message, headers, more);
    if (ends) request.resume(); // closing at once would reset the answer away before it is read
  }

  /** The ticket of a request that has no key and only reads; its address goes on without it. */
  function ticketIn(request) {
    const { method, headers } = request;
    const found = method === 'GET' && !headers.authorization ? ticketOf(request.url) : undefined;
    if (found) request.url = found.address;
    return found;
  }

  async function answerGraphql(request, response, url, session, ticket) {
    if (ticket) url.searchParams.delete('ticket');
    if (wantsGraphiql(request, url)) {
      await sendGraphiql(request, response, (points) => limits.charge(session, points));
      return;
    }
    try {
      // The runtime takes a body that is parsed already, as frameworks leave it, and does not read again.
      const readBody = () => intake.read(request, response, session);
      const read = await readGraphqlRequest(request, url, readBody, withQuery);
      request.body = read.params;
      if (request.method === 'GET' && !url.searchParams.has('query')) nameQuery(request, url, read.params);
      session.values = read.values;
      session.principal = ticket
        ? await identifyTicket(ticket, session.network)
        : await identify(request.headers.authorization, session.network);
    } catch (error) {
      const charge = await limits.chargeNetwork(session.network, REFUSAL_COST);
      refuse(request, response, session, charge.allowed ? error : rateLimited(charge));
      return;
    }
    if (response.destroyed) return; // gone while its key was looked up: its close event is over
    if (session.principal !== ANONYMOUS) session.owner = session.principal.account;
    session.ending = createEnding();
    const entry = { response, session, unsent: createUnsent() };
    underWay.add(entry);
    const release = keys.hold(session.principal, (reason) => session.ending.abort(publicRefusal(reason)));
    response.once('close', () => {
      underWay.delete(entry);
      release();
      session.ending.abort();
    });
    readers.watch(response, session.network, () => session.operationType === 'subscription');
    await graph(request, response, { session });
  }

  /** Write a query into the address that named only its hash: of a GET, the runtime reads the address. */
  function nameQuery(request, url, { query }) {
    url.searchParams.set('query', query);
    request.url = `${url.pathname}${url.search}`;
  }

  function refuse(request, response, session, reason) {
    if (response.destroyed) return;
    const error = publicRefusal(reason);
    const { code, http } = error.extensions;
    if (http.status === 500) {
      log.error('unexpected', { request_id: session.requestId, error: reason.message, stack: reason.stack });
    }
    metrics.refuse(error.extensions);
    const { http: _, ...extensions } = error.extensions;
    const body = JSON.stringify({
      errors: [{ message: error.message, extensions }],
      extensions: answerExtensions(session),
    });
    const modern = /application\/graphql-response\+json/i.test(request.headers.accept ?? '');
    const unread = isUnread(request);
    if (unread) endWith(request, response);
    response.writeHead(http.status, {
      'content-type': `application/${modern ? 'graphql-response+json' : 'json'}; charset=utf-8`,
      'content-length': Buffer.byteLength(body),
      ...http.headers,
    });
    response.end(body);
    // Drain the rest of a refused body: closing at once would reset the answer away before it is read.
    if (unread) request.resume();
  }

  function record(request, response, { route, session, path }) {
    const began = performance.now();
    response.once('close', () => {
      const seconds = (performance.now() - began) / 1000;
      metrics.requests.inc({ route, method: countedAs(request.method), status: response.statusCode });
      metrics.duration.observe({ route }, seconds);
      if (session.operationType) metrics.operations.inc({ type: session.operationType, transport: 'http' });
      const whole = response.writableFinished;
      log.request('request', whole && response.statusCode < 400 && !session.failed, {
        method: request.method,
        path,
        status: response.statusCode,
        ms: Math.round(seconds * 1e4) / 10,
        request_id: session.requestId,
        ...(session.operationType ? { operation: session.operation, type: session.operationType } : {}),
        ...(whole ? {} : { aborted: true }),
      });
    });
  }
}

/**
 * Refuse a body with more values than any operation takes, whatever it is called: what is no JSON is refused behind.
 * @param {Buffer} body
 * @throws {Refused} 413
 */
function checkValues(body) {
  const excess = beyond(scanJson(body), MOST);
  if (!excess) return;
  const { message, ...more } = excess;
  throw new Refused(413, 'TOO_MANY_VALUES', message, {}, { ...more, path: [] });
}

/** Whether some of a request's body is still to come. */
const isUnread = (request) => !request.complete && hasBody(request.headers);

/** What a client may know of why its request was not even tried. */
function publicRefusal(reason) {
  if (reason instanceof KeyRefused) {
    return codedError('UNAUTHENTICATED', reason.message, {
      reason: reason.reason,
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  if (reason instanceof IdentityUnavailable) {
    return codedError('IDENTITY_UNAVAILABLE', 'API keys cannot be checked at the moment.', {
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
  return reason.extensions?.http
    ? reason
    : codedError('INTERNAL_SERVER_ERROR', 'Unexpected error.', { status: 500 });
}
