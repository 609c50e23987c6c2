/**
 * Structured logs on standard output: one JSON object a line, or a readable line with format `console`.
 * Never pass a secret, a header or a query's variables in.
 *
 * Lines of what succeeded wait for one another, a tenth of a second at most, and are written together; every other
 * line is written at once, after those that wait. Which requests' lines are written at all is decided by the
 * request's id, as the services decide it (services/shared/log_lines.py).
 */
import { crc32 } from 'node:zlib';

const LEVELS = { debug: 10, info: 20, warning: 30, error: 40 };

/** How long a line may wait for others. */
const GATHER_MS = 100;
/** With so much waiting (in UTF-16 units), all of it is written. */
const GATHER_SIZE = 16 * 1024;
/** A request that took so long is told of whatever its id is. */
const SLOW_MS = 1000;

/**
 * @typedef {Record<'debug' | 'info' | 'warning' | 'error', (event: string, fields?: object) => void> & {
 *   request: (event: string, succeeded: boolean, fields: { ms?: number, request_id: string }) => void
 * }} Log
 */

/**
 * @param {{ logLevel: keyof typeof LEVELS, logFormat: 'json' | 'console', logShare?: number }} config
 * @returns {Log}
 */
export function createLog({ logLevel, logFormat, logShare = 1 }) {
  const lines = createLines();
  const line = (level, event, fields) => {
    const record = { timestamp: new Date().toISOString(), level, service: 'federation', event, ...fields };
    return `${logFormat === 'json' ? JSON.stringify(record) : readable(record)}\n`;
  };
  const silence = () => {};
  const heard = (level) => LEVELS[level] >= LEVELS[logLevel];
  const write =
    (level) =>
    (event, fields = {}) =>
      lines.write(line(level, event, fields));

  /** Write the line of a request, or none for one that succeeded in time and is outside the share. */
  function request(event, succeeded, fields) {
    if (!succeeded || fields.ms >= SLOW_MS) {
      lines.write(line('info', event, fields));
    } else if (inShare(fields.request_id, logShare)) {
      // The line of one inside a share below 1 stands for 1 / share requests.
      lines.gather(line('info', event, logShare < 1 ? { ...fields, share: logShare } : fields));
    }
  }

  return {
    ...Object.fromEntries(Object.keys(LEVELS).map((level) => [level, heard(level) ? write(level) : silence])),
    request: heard('info') ? request : silence,
  };
}

/** Whether the lines of a successful request are written. */
export const inShare = (requestId, share) => crc32(requestId) < share * 2 ** 32;

/** Standard output, on which lines may wait for others. */
function createLines() {
  let waiting = '';
  let timer;
  function write(text) {
    process.stdout.write(waiting + text);
    waiting = '';
    clearTimeout(timer);
    timer = undefined;
  }
  process.on('exit', () => waiting && write(''));
  return {
    write,
    gather(text) {
      waiting += text;
      if (waiting.length >= GATHER_SIZE) write('');
      else timer ??= setTimeout(write, GATHER_MS, '').unref();
    },
  };
}

/** At most one line a second from a source that may fail a thousand times a second. */
export function oncePerSecond(write) {
  let quietUntil = -Infinity;
  return (event, fields) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + 1000;
    write(event, fields);
  };
}

function readable({ timestamp, level, service, event, ...fields }) {
  const rest = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [timestamp.slice(11, 23), level.padEnd(7), `${service}:`, event, ...rest].join(' ');
}
