/**
 * Where a request target leads: to the graph, to the app behind, or nowhere. Total: no target makes it throw.
 *
 * The app behind decodes a path once and matches it as it is. The door reads it in every way that any server or
 * router might (decoded again, dot segments, doubled and turned slashes, parameters, letter case) and passes it on
 * only when none of these readings leads to what belongs to the house.
 *
 * @typedef {{ route: 'graphql' | 'proxy', raw: string, url: URL } | { route: 'closed' } | { route: 'malformed' }} Target
 */

const GRAPHQL = '/graphql';
/** What the Python app serves for the house alone, as the first segment of a path. */
const CLOSED = new Set(['internal', 'metrics', 'graphql']);
/** RFC 3986 knows only these; what else a sender may have meant, the next reader may understand otherwise. */
const PRINTABLE = /^[\x21-\x7e]+$/;
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const ESCAPE = /%([0-9a-f]{2})?/gi;
const READINGS = 4;

/**
 * @param {string} target  path and query, or an absolute address
 * @returns {Target}
 */
export function classify(target) {
  const raw = ABSOLUTE.test(target) ? target.replace(ABSOLUTE, '') || '/' : target;
  if (!raw.startsWith('/') || !PRINTABLE.test(raw) || raw.includes('#')) return { route: 'malformed' };
  const url = URL.parse(`http://gateway${raw.replace(/^[\\/]+/, '/')}`);
  if (!url) return { route: 'malformed' };
  const path = raw.split('?', 1)[0];
  if (path === GRAPHQL) return { route: 'graphql', raw, url };
  return leadsInside(path) ? { route: 'closed' } : { route: 'proxy', raw, url };
}

/** Whether any reading of a path begins with a closed segment, or it cannot be decoded at all. */
function leadsInside(path) {
  let reading = path;
  for (let round = 0; round < READINGS; round += 1) {
    if (CLOSED.has(firstSegment(reading))) return true;
    const decoded = decode(reading);
    if (decoded === undefined) return round === 0; // "%2525z" is sound as it came: who decodes twice, decodes text
    if (decoded === reading) return false;
    reading = decoded;
  }
  return CLOSED.has(firstSegment(reading));
}

/**
 * The first segment that remains when dot segments, repeated slashes, parameters and letter case are taken away.
 * @param {string} path
 */
function firstSegment(path) {
  const kept = [];
  for (const segment of path.split(/[\\/]+/)) {
    const name = segment.split(/[;?#]/, 1)[0].trim().toLowerCase();
    if (name === '..') kept.pop();
    else if (name !== '' && name !== '.') kept.push(name);
  }
  return kept[0];
}

/**
 * Decode the escapes of a path once.
 * @param {string} path
 * @returns {string | undefined} undefined where an escape is broken or the bytes are not UTF-8
 */
function decode(path) {
  let broken = false;
  const bytes = path.replace(ESCAPE, (_, digits) => {
    if (digits === undefined) broken = true;
    return digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16));
  });
  if (broken) return undefined;
  // A path that was decoded before may hold letters above one byte; those stay as they are.
  if (/[^\x00-\xff]/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}
