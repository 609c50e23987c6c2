/**
 * The federated graph: the Hive runtime with identity, limits and error hygiene plugged in.
 *
 * A {@link Session} travels in the runtime's context from the door (HTTP or WebSocket) to every subgraph
 * request, so that no transport can lose who is asking.
 *
 * @typedef {object} Session
 * @property {string} requestId
 * @property {boolean} [failed]  whether the answer told of errors
 * @property {string} [traceparent]
 * @property {string} [tracestate]
 * @property {import('./tokens.mjs').Principal} principal
 * @property {string} owner             whose bucket pays: an account, or a network for who has no key
 * @property {string} network           where it comes from; pays too
 * @property {AbortController} ending   aborted when the operation is over, by whoever knows first
 * @property {boolean} streams          whether the client can take a stream of events
 * @property {string} [lastEventId]     the cursor of the last event that the client has
 * @property {{ requested: number, remaining: number | null }} [cost]  what is told of it
 * @property {number} [price]           what was charged before it ran
 * @property {() => void} [leave]       tells that it is over, so that the next may begin
 * @property {{ requests: number, characters: number }} [work]  what the services have done for it
 * @property {import('./values.mjs').Values} [values]  how many values its request holds
 * @property {string} [operation]       for the log
 * @property {string} [operationType]
 * @property {boolean} [secret]         whether a service has answered it with a secret
 */
import { getOperationAST } from 'graphql';
import { handleMaybePromise } from '@whatwg-node/promise-helpers';
import { createGatewayRuntime, Logger } from '@graphql-hive/gateway-runtime';
import { Crowded } from './admission.mjs';
import { operationCost, workCost } from './cost.mjs';
import { brokenLimit, parseWithinLimits, rootFieldNames } from './document_limits.mjs';
import { useDocuments } from './documents.mjs';
import { codedError, publicSubgraphError, rateLimited } from './errors.mjs';
import { CAPACITY, MAX_OPERATION_COST, REFILL_PER_SECOND } from './limits.mjs';
import { oncePerSecond } from './log.mjs';
import { entityNames, withoutDangling } from './references.mjs';
import { tooManyValues } from './request_guards.mjs';
import { useResuming } from './resuming.mjs';
import { untilEnded } from './streams.mjs';
import { TOKEN_HEADER } from './tokens.mjs';
import { beyond, valuesOf } from './values.mjs';

/**
 * @param {object} parts
 * @param {string} parts.supergraph
 * @param {boolean} parts.introspection
 * @param {ReturnType<import('./tokens.mjs').createSigner>} parts.sign
 * @param {ReturnType<import('./limits.mjs').createLimits>} parts.limits
 * @param {ReturnType<import('./admission.mjs').createAdmission>} parts.admission
 * @param {ReturnType<import('./streams.mjs').createStreams>} parts.streams
 * @param {ReturnType<import('./metrics.mjs').createMetrics>} parts.metrics
 * @param {ReturnType<import('./upstream.mjs').createUpstream>['fetch']} parts.fetch  carries subgraph requests
 * @param {import('./log.mjs').Log} parts.log
 */
export function createGraph({ supergraph, introspection, sign, limits, admission, streams, metrics, fetch, log }) {
  return withoutSignalHandlers(() =>
    createGatewayRuntime({
      supergraph,
      fetchAPI: { fetch },
      logging: runtimeLogger(log),
      cors: false, // answered at the door, for every path
      graphiql: false,
      landingPage: false,
      requestId: false,
      subgraphErrors: false,
      batching: false,
      disableIntrospection: introspection ? undefined : {},
      maskedErrors: { errorMessage: 'Unexpected error.', isDev: false },
      transportEntries: {
        '*.http': {
          options: {
            method: 'POST', // subscriptions too: a GET would put their variables into the address
            // The runtime's key for sharing a request does not see headers that are added late; two viewers
            // must never share an answer.
            deduplicateInflightRequests: false,
          },
        },
      },
      plugins: () => [
        useDocuments(),
        useResuming(),
        useCharge(limits, admission, streams, metrics),
        useSubgraphs(sign, log),
        useReferences(entityNames(supergraph)),
        useAnswerExtensions(limits),
      ],
    }),
  );
}

/** The runtime would abort what is under way at the first signal; when to stop is for the process to say. */
function withoutSignalHandlers(create) {
  const signals = ['SIGINT', 'SIGTERM', 'exit'];
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const created = create();
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) {
      if (!before.has(listener)) process.off(signal, listener);
    }
  }
  return created;
}

/** Charge each operation before it runs, let it in when it is its turn, and count it if it will stay. */
function useCharge(limits, admission, streams, metrics) {
  async function charge({ args, setResultAndStopExecution }) {
    const { session } = args.contextValue;
    const operation = getOperationAST(args.document, args.operationName);
    session.operation ??= operation?.name?.value;
    session.operationType = operation?.operation;
    if (session.operationType === 'subscription' && !session.streams) {
      setResultAndStopExecution({ errors: [noStream()] });
      return undefined;
    }
    const excess = operation && beyond(session.values, valuesOf(rootFieldNames(args.document, operation)));
    if (excess) {
      metrics.refuse({ code: 'TOO_MANY_VALUES' });
      setResultAndStopExecution({ errors: [tooManyValues(excess)] });
      return undefined;
    }
    const requested = operationCost({
      schema: args.schema,
      document: args.document,
      operationName: args.operationName,
      variables: args.variableValues,
    });
    const refusal =
      (await pay(limits, session, requested)) ??
      (session.operationType === 'subscription' ? streams.open(session) : await letIn(admission, session));
    if (!refusal) return { onExecuteDone: () => session.leave?.() };
    metrics.refuse(refusal.extensions);
    setResultAndStopExecution({ errors: [refusal] });
    return undefined;
  }
  return { onExecute: charge, onSubscribe: charge };
}

const noStream = () =>
  codedError('NOT_ACCEPTABLE', 'A subscription needs a WebSocket or "Accept: text/event-stream".', {
    status: 406,
  });

/** @returns {Promise<import('graphql').GraphQLError | undefined>} why the operation may not run */
async function pay(limits, session, requested) {
  if (requested > MAX_OPERATION_COST) {
    session.cost = { requested, remaining: null };
    return codedError(
      'QUERY_TOO_EXPENSIVE',
      `The operation costs ${requested} points, more than the ${MAX_OPERATION_COST} that one may cost. Ask for smaller pages.`,
      { status: 400, requested, allowed: MAX_OPERATION_COST },
    );
  }
  const charge = await limits.charge(session, requested);
  session.cost = { requested, ...bucketOf(charge) };
  session.ofOwner = charge.ofOwner;
  if (!charge.allowed) return rateLimited(charge);
  session.price = requested;
  session.work = { requests: 0, characters: 0 };
  return undefined;
}

/** What of a charge is told: the bucket that is the emptiest of a client's own. */
const bucketOf = ({ remaining, capacity, refillPerSecond }) => ({ remaining, capacity, refillPerSecond });

/**
 * Wait until an operation may begin.
 * @returns {Promise<import('graphql').GraphQLError | undefined>} why it may not
 */
async function letIn(admission, session) {
  try {
    if (session.cost.remaining !== null) admission.count(session.network, session.ofOwner);
    session.leave = await admission.enter(session.network, session.ending.signal);
    return undefined;
  } catch (reason) {
    if (!(reason instanceof Crowded) && !session.ending.signal.aborted) throw reason;
    return codedError('UNAVAILABLE', 'Too many requests are under way.', { status: 503 });
  }
}

/** Charge what an answer has needed beyond the price: all of it, or what there is left. */
async function settle(limits, session) {
  const owed = workCost(session.work) - session.price;
  if (owed <= 0) return;
  let charge = await limits.charge(session, owed);
  if (!charge.allowed && charge.remaining > 0) {
    charge = await limits.charge(session, Math.min(owed, charge.remaining));
  }
  session.cost.requested += owed;
  session.cost.remaining = Math.min(session.cost.remaining, charge.remaining);
}

/** Sign each subgraph request and clean each subgraph answer. */
function useSubgraphs(sign, log) {
  const complain = { warning: oncePerSecond(log.warning), error: oncePerSecond(log.error) };
  return {
    onSubgraphExecute({ subgraphName, executionRequest }) {
      const { session } = executionRequest.context;
      const service = subgraphName.toLowerCase();
      const headers = { 'x-request-id': session.requestId };
      if (session.traceparent) headers.traceparent = session.traceparent;
      if (session.tracestate) headers.tracestate = session.tracestate;
      executionRequest.extensions = { ...executionRequest.extensions, headers };

      const clean = ({ result, setResult }) => {
        if (result?.extensions?.secret) session.secret = true; // heeded by the door, and told to nobody
        if (!result?.errors) return;
        const told = (event, fields) => complain.warning(event, { ...fields, request_id: session.requestId });
        setResult({
          ...result,
          errors: result.errors.map((error) => publicSubgraphError(error, service, told)),
        });
      };
      const done = ({ result, setResult }) => {
        if (result?.[Symbol.asyncIterator]) return { onNext: clean };
        clean({ result, setResult });
        return undefined;
      };
      return handleMaybePromise(
        () => sign(service, session.principal, { network: session.network }),
        (token) => {
          headers[TOKEN_HEADER] = token;
          return done;
        },
      );
    },
  };
}

/** Show references to what is not there as null, and no more; before errors are masked, which hides what they are. */
function useReferences(entities) {
  const clean = ({ result, setResult }) => setResult(withoutDangling(entities, result));
  const done = (answer) => (answer.result?.[Symbol.asyncIterator] ? { onNext: clean } : clean(answer));
  return {
    onExecute: () => ({ onExecuteDone: done }),
    onSubscribe: () => ({ onSubscribeResult: done }),
  };
}

const TOO_MUCH = new Set(['QUERY_TOO_LARGE', 'FRAGMENT_CYCLE']);
/** Statuses of answers without data, by the first error's code that has one here. */
const NOTHING_DONE = {
  RATE_LIMITED: 429,
  QUERY_TOO_EXPENSIVE: 400,
  SUBGRAPH_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
  TOO_MANY_VALUES: 413,
};
/** How long to wait for what is only unavailable. */
const UNAVAILABLE_RETRY_S = 1;

/** Put `extensions.cost` and `extensions.requestId` on every answer, errors and stream events included. */
function useAnswerExtensions(limits) {
  return {
    onExecutionResult({ result, setResult, context }) {
      const { session } = context;
      if (result?.[Symbol.asyncIterator]) {
        const show = (event) => ({ ...event, extensions: answerExtensions(session, event) });
        setResult(untilEnded(result, session.ending, show));
        return undefined;
      }
      const finish = (refusal) => {
        const answer = refusal ? { errors: [refusal] } : withCodes(withoutEmptyData(result));
        session.failed = Boolean(answer?.errors); // for the log: the status may say 200
        setResult({ ...answer, extensions: answerExtensions(session, answer) });
      };
      if (session.work) return settle(limits, session).then(() => finish());
      if (session.cost || !result?.errors) return finish();
      // Refused before it ran: the least that an operation costs, so that nonsense is not free.
      return pay(limits, session, 1).then(finish);
    },
  };
}

/**
 * Leave out data that is null all over because of a limit or an absent service: by the protocol, an answer that
 * has data cannot have the status that a client is to heed.
 */
function withoutEmptyData(result) {
  if (!result?.errors || !('data' in result) || nothingDone(result.errors) === undefined) return result;
  if (Object.values(result.data ?? {}).some((value) => value !== null)) return result;
  const { data: _, ...answer } = result;
  return answer;
}

const nothingDone = (errors) => errors.find(({ extensions }) => NOTHING_DONE[extensions?.code] !== undefined);

/** graphql-js gives no code to variables that do not fit, nor to a null where none may be. */
function withCodes(result) {
  for (const error of result?.errors ?? []) {
    error.extensions.code ??= error.path ? 'INTERNAL_SERVER_ERROR' : 'BAD_USER_INPUT';
  }
  return result;
}

/**
 * @param {Session} session
 * @param {{ errors?: readonly import('graphql').GraphQLError[], extensions?: object }} [result]
 */
export function answerExtensions(session, result) {
  const cost = {
    requested: 0,
    remaining: null,
    capacity: CAPACITY,
    refillPerSecond: REFILL_PER_SECOND,
    ...session.cost,
  };
  const http = httpOf(result ?? {});
  return { ...result?.extensions, cost, requestId: session.requestId, ...(http ? { http } : {}) };
}

/** A limit's status must hold for clients that accept plain JSON too, which parse errors alone would not do. */
function httpOf(result) {
  const { errors } = result;
  if (errors?.some((error) => TOO_MUCH.has(error.extensions?.code))) return { status: 400 };
  const reason = 'data' in result ? undefined : nothingDone(errors ?? []);
  if (!reason) return undefined;
  const { code } = reason.extensions;
  const status = NOTHING_DONE[code];
  const { retryAfter = status === 503 ? UNAVAILABLE_RETRY_S : undefined } = reason.extensions;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return { status, headers };
}

/** The runtime's own complaints, as lines of our log. */
function runtimeLogger(log) {
  const levels = { error: log.error, warn: log.warning, info: log.debug };
  return new Logger({
    level: 'info',
    writers: [
      {
        write(level, attributes, message) {
          const error = attributes?.err ?? attributes;
          levels[level]?.('runtime', {
            message: message ?? error?.message,
            ...(error?.stack ? { error: error.message, stack: error.stack } : {}),
          });
        },
      },
    ],
  });
}
