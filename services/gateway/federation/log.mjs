/**
 * Structured logs on standard output: one JSON object a line, or a readable line with format `console`.
 * Never pass a secret, a header or a query's variables in.
 */
const LEVELS = { debug: 10, info: 20, warning: 30, error: 40 };

/**
 * @typedef {Record<'debug' | 'info' | 'warning' | 'error', (event: string, fields?: object) => void>} Log
 */

/**
 * @param {{ logLevel: keyof typeof LEVELS, logFormat: 'json' | 'console' }} config
 * @returns {Log}
 */
export function createLog({ logLevel, logFormat }) {
  const write =
    (level) =>
    (event, fields = {}) => {
      const record = { timestamp: new Date().toISOString(), level, service: 'federation', event, ...fields };
      process.stdout.write(`${logFormat === 'json' ? JSON.stringify(record) : readable(record)}\n`);
    };
  return Object.fromEntries(
    Object.keys(LEVELS).map((level) => [level, LEVELS[level] >= LEVELS[logLevel] ? write(level) : () => {}]),
  );
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
