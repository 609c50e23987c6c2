/**
 * Content codings at the public door: which answers are compressed, and by what (RFC 9110, 12.5.3).
 *
 * Nothing behind the door compresses answers, a few pages apart that are kept compressed. What leaves here is
 * compressed once, off the event loop where it is long, and within bounds of memory.
 */
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  crc32,
  createDeflateRaw,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';

/** By it a service tells that an answer holds a secret (services/shared/answer_secrecy.py). Clients never see it. */
export const SECRET_HEADER = 'x-hearthforge-secret';

/** What is shorter fits into a packet as it is. */
const LEAST_BYTES = 1024;
/** Answers up to this length are compressed in one piece; longer ones while they are sent. */
const WHOLE_BYTES = 256 * 1024;
/** To compress so little takes less time than to hand it to another thread. */
const AT_ONCE_BYTES = 4 * 1024;

const LEVEL = 4;
const WINDOW_BITS = 18;

const brotliOptions = (body) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: LEVEL,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  },
});
const ZSTD_OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const GZIP_OPTIONS = { level: LEVEL };
const LIVE_OPTIONS = {
  level: LEVEL,
  windowBits: 12,
  memLevel: 5,
  chunkSize: 4096,
  flush: constants.Z_SYNC_FLUSH,
};
/** Deflate, nothing more is told: neither a name, nor a time, nor a system. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const [zstdLater, brotliLater, gzipLater] = [zstdCompress, brotliCompress, gzip].map((one) => promisify(one));

/** Codings of whole answers, the cheapest first: that one is taken of those that a client likes as much. */
const WHOLE = {
  zstd: {
    now: (body) => zstdCompressSync(body, ZSTD_OPTIONS),
    later: (body) => zstdLater(body, ZSTD_OPTIONS),
  },
  br: {
    now: (body) => brotliCompressSync(body, brotliOptions(body)),
    later: (body) => brotliLater(body, brotliOptions(body)),
  },
  gzip: {
    now: (body) => gzipSync(body, GZIP_OPTIONS),
    later: (body) => gzipLater(body, GZIP_OPTIONS),
  },
};
/** Of what is sent while it is made: the only one whose compression can be left off in the middle. */
const STREAMED = ['gzip'];

const COMPRESSIBLE =
  /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml)\b|application\/(?:x-ndjson|javascript)\b)/i;
/** What the runtime calls the coding of its streams of events; no client may take it for one. */
const NONE = 'none';
const WITHOUT_CONTENT = new Set([204, 304]);
const PARTIAL = 206;

/**
 * The coding that a client likes best among those offered; of several, the first of them.
 * @param {string | undefined} accepted  `Accept-Encoding`
 * @param {string[]} offered
 * @returns {string | undefined}  undefined where it takes none, or likes an answer without one better
 */
export function preferredCoding(accepted, offered) {
  if (!accepted) return undefined;
  const weights = new Map();
  for (const member of accepted.toLowerCase().split(',')) {
    const [coding, ...parameters] = member.split(';').map((part) => part.trim());
    weights.set(coding, weightOf(parameters));
  }
  let best;
  let most = weights.get('identity') ?? 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > most || (weight === most && weight > 0 && best === undefined)) [best, most] = [coding, weight];
  }
  return best;
}

function weightOf(parameters) {
  const found = parameters.find((one) => one.startsWith('q='));
  if (found === undefined) return 1;
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(found) ? Number(found.slice(2)) : 0;
}

/**
 * @typedef {object} Plan
 * @property {boolean} varies      whether other clients may get another form of the answer
 * @property {string} [coding]     what it is compressed by; undefined for as it is
 * @property {boolean} [whole]     in one piece, once all of it is there
 * @property {boolean} [live]      of what is sent while it is made: without a known end, each piece goes at once
 */

/**
 * How an answer is sent.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} status
 * @param {(name: string) => string | number | undefined} header  of the answer
 * @param {boolean} secret  whether it holds a secret, whose letters its compressed length would tell of
 * @returns {Plan}
 */
export function planCoding(request, status, header, secret) {
  if (status === 304) return { varies: true };
  if (status === PARTIAL || WITHOUT_CONTENT.has(status) || status < 200) return { varies: false };
  const stated = header('content-length');
  const length = stated === undefined ? Number.POSITIVE_INFINITY : Number(stated);
  if (
    length < LEAST_BYTES ||
    (header('content-encoding') ?? NONE) !== NONE ||
    !COMPRESSIBLE.test(header('content-type') ?? '') ||
    /\bno-transform\b/i.test(header('cache-control') ?? '')
  ) {
    return { varies: false };
  }
  const { range, 'accept-encoding': accepted } = request.headers;
  if (secret || range !== undefined) return { varies: true };
  const whole = length <= WHOLE_BYTES;
  const coding = preferredCoding(accepted, whole ? Object.keys(WHOLE) : STREAMED);
  return { varies: true, coding, whole, live: stated === undefined };
}

/**
 * Compress a whole answer.
 * @param {string} coding  of a plan
 * @param {Buffer} body
 * @param {(body: Buffer) => void} done  called with it compressed; or as it is, where that is no longer
 */
export function compressWhole(coding, body, done) {
  const { now, later } = WHOLE[coding];
  const settle = (packed) => done(packed.length < body.length ? packed : body);
  if (body.length <= AT_ONCE_BYTES) settle(now(body));
  else later(body).then(settle, () => done(body));
}

/**
 * Gzip of an answer that is sent while it is made (RFC 1952). The frame is written here, around raw deflate: of
 * gzip, Node cannot change the level.
 */
export class Compressor {
  #checksum = 0;
  #length = 0;

  /**
   * @param {boolean} live  of a stream of events or the like: it holds 36 KiB, and lets each piece out at once;
   *   another one holds 260 KiB, for as long as the answer is on its way
   */
  constructor(live) {
    this.stream = createDeflateRaw(live ? LIVE_OPTIONS : GZIP_OPTIONS);
  }

  get head() {
    return GZIP_HEAD;
  }

  get tail() {
    const tail = Buffer.alloc(8);
    tail.writeUInt32LE(this.#checksum, 0);
    tail.writeUInt32LE(this.#length % 2 ** 32, 4);
    return tail;
  }

  /** @param {Buffer} piece */
  write(piece) {
    this.#checksum = crc32(piece, this.#checksum);
    this.#length += piece.length;
    return this.stream.write(piece);
  }

  /** Pass on what follows as it is. @param {() => void} done  called once it may follow */
  leaveOff(done) {
    this.stream.params(0, constants.Z_DEFAULT_STRATEGY, done);
  }
}
