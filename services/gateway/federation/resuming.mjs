/**
 * Resuming streams of events: each event that holds a `cursor` is sent with it as its `id:`, so that a client
 * which reconnects as the standard has it, with `Last-Event-ID`, goes on behind what it has. The header counts
 * as the subscription's argument `after`.
 */
import { getOperationAST, Kind } from 'graphql';

/** Longer ones are nobody's cursors. */
const MAX_CURSOR = 200;
const EVENT = /^event: next\r?\ndata: (.*)$/s;

/**
 * What a client says that it has; undefined where it says nothing of use.
 * @param {import('node:http').IncomingHttpHeaders} headers
 */
export function lastEventId(headers) {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id.length > 0 && id.length <= MAX_CURSOR ? id : undefined;
}

/** A plugin of the runtime: reads `Last-Event-ID`, and writes `id:`. */
export function useResuming() {
  return {
    onSubscribe({ args }) {
      const { lastEventId } = args.contextValue.session;
      if (lastEventId !== undefined) resume(args, lastEventId);
    },
    onResponse({ response, setResponse, fetchAPI }) {
      if (!/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '') || !response.body) return;
      const { status, statusText, headers } = response;
      setResponse(new fetchAPI.Response(withIds(response.body), { status, statusText, headers }));
    },
  };
}

/** Have a subscription begin behind a cursor, whatever it names itself. */
function resume(args, cursor) {
  const operation = getOperationAST(args.document, args.operationName);
  const [field, ...others] = operation.selectionSet.selections;
  if (others.length > 0 || field.kind !== Kind.FIELD) return;
  const known = args.schema.getSubscriptionType()?.getFields()[field.name.value];
  if (!known?.args.some(({ name }) => name === 'after')) return;
  const given = field.arguments.find(({ name }) => name.value === 'after');
  if (given?.value.kind === Kind.VARIABLE) {
    args.variableValues = { ...args.variableValues, [given.value.name.value]: cursor };
    return;
  }
  const after = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: 'after' },
    value: { kind: Kind.STRING, value: cursor },
  };
  const argumentsNow = [...field.arguments.filter((one) => one !== given), after];
  const selections = [{ ...field, arguments: argumentsNow }];
  const resumed = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  // Documents are remembered and shared: this one is a copy.
  const definitions = args.document.definitions.map((one) => (one === operation ? resumed : one));
  args.document = { ...args.document, definitions };
}

/** The same stream, with an `id:` before each event that has a cursor. */
function withIds(body) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let waiting = '';
  const source = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        waiting += done ? decoder.decode() : typeof value === 'string' ? value : decoder.decode(value, { stream: true });
        const blocks = waiting.split('\n\n');
        waiting = done ? '' : blocks.pop();
        const told = blocks.map((block) => idLine(block) + block).join('\n\n');
        if (blocks.length > 0 && told !== '') controller.enqueue(encoder.encode(done ? told : `${told}\n\n`));
        else if (!done) await this.pull(controller);
        if (done) controller.close();
      },
      async cancel(reason) {
        await source.return?.(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function idLine(block) {
  const found = EVENT.exec(block);
  if (found === null || !found[1].includes('"cursor"')) return '';
  const values = Object.values(JSON.parse(found[1]).data ?? {});
  const cursor = values.length === 1 ? values[0]?.cursor : undefined;
  return typeof cursor === 'string' && !/[\r\n\0]/.test(cursor) ? `id: ${cursor}\n` : '';
}
