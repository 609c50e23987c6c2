/**
 * Subscriptions that end before they run, in the protocol graphql-transport-ws: a message `error` says so, and not
 * a `next` that looks like an event.
 */
import { getOperationAST, parse } from 'graphql';

/** Tokens that are read to find the type of an operation; what is longer is refused anyway. */
const MAX_TOKENS = 2000;

/** A subscription was refused; `result` holds the errors, and the extensions of the answer. */
export class SubscriptionRefused extends Error {
  name = 'SubscriptionRefused';

  /** @param {{ errors: readonly import('graphql').GraphQLError[], extensions?: object }} result */
  constructor(result) {
    super('The subscription was refused.');
    this.result = result;
  }
}

/**
 * The results of a subscription; reading the first fails with `SubscriptionRefused` when it holds errors and no
 * data. Later ones are events, whatever they hold.
 * @param {any} result  one result, or an async iterable of them
 * @returns {AsyncGenerator<any>}
 */
export function refusedAtFirst(result) {
  const results = result?.[Symbol.asyncIterator]?.() ?? once(result);
  let first = true;
  // Written out: a generator's return() would wait for the event that its next() waits for.
  return {
    async next() {
      const step = await results.next();
      if (first && !step.done && isRefusal(step.value)) {
        await results.return?.();
        throw new SubscriptionRefused(step.value);
      }
      first = false;
      return step;
    },
    return: async (value) => (await results.return?.(value)) ?? { done: true, value },
    throw: async (error) => {
      if (!results.throw) throw error;
      return results.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * The type of an operation that was refused before anything was known of it; undefined where it cannot be read.
 * @param {{ query?: unknown, operationName?: string | null }} payload
 */
export function typeOf({ query, operationName }) {
  try {
    return getOperationAST(parse(String(query), { maxTokens: MAX_TOKENS }), operationName)?.operation;
  } catch {
    return undefined;
  }
}

async function* once(result) {
  yield result;
}

const isRefusal = ({ data, errors }) => Boolean(errors?.length) && (data === null || data === undefined);
