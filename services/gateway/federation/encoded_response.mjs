/**
 * Answers as they leave the public door: compressed where it is worth it and their client takes it.
 *
 * Whoever answers writes as to any other response of Node. The head of an answer that is compressed in one piece
 * waits for its end, so that it can state its length, and both leave in one write; until then `headersSent` is
 * false, and another answer may take its place. An entity tag is weak on what is compressed (RFC 9110, 8.8.1):
 * the bytes are others, what they say is the same.
 */
import { ServerResponse } from 'node:http';
import { Compressor, compressWhole, planCoding, SECRET_HEADER } from './codings.mjs';

/** Told once, when everything was handed to the socket. */
const ENCODED = 'encoded';

export class EncodedResponse extends ServerResponse {
  /** The operation that is answered, if it is one: `secret` once it holds a secret. @type {{ secret?: boolean } | undefined} */
  session;
  /** The head of an answer that waits for its end, and what there is of it. */
  #whole;
  /** @type {Compressor | undefined} */
  #compressor;
  /** Pieces that wait until the compressor has left off compressing. @type {Buffer[] | undefined} */
  #waiting;
  #leftOff = false;
  #ended = false;
  #encoding = false;

  writeHead(status, ...rest) {
    if (this.headersSent) return super.writeHead(status, ...rest);
    const [message, given] = typeof rest[0] === 'string' ? rest : [undefined, rest[0] ?? rest[1]];
    const headers = {};
    for (const name in given) headers[name.toLowerCase()] = given[name];
    const header = (name) => headers[name] ?? this.getHeader(name);
    const secret = headers[SECRET_HEADER] !== undefined || this.session?.secret === true;
    delete headers[SECRET_HEADER];

    const plan = planCoding(this.req, status, header, secret);
    if (plan.varies) headers.vary = varying(header('vary'));
    const head = { status, message, headers };
    this.statusCode = status;
    this.#whole = undefined;
    if (status === 304 && knowsWeak(this.req.headers['if-none-match'], header('etag'))) this.#weaken(headers);
    if (plan.coding === undefined) return this.#send(head);
    if (this.req.method === 'HEAD') {
      // What it would be for GET, but for its length, which nobody knows before it is made.
      this.#encode(headers, plan.coding);
      return this.#send(head);
    }
    if (plan.whole) {
      this.#whole = { ...head, coding: plan.coding, pieces: [] };
      return this;
    }
    this.#encode(headers, plan.coding);
    this.#send(head);
    this.#pipe(new Compressor(plan.live));
    return this;
  }

  /** Node's own way to a head that nobody wrote; nothing of it is known in time. */
  _implicitHeader() {
    super.writeHead(this.statusCode);
  }

  write(chunk, encoding, callback) {
    if (!this.#whole && !this.#compressor) return super.write(chunk, encoding, callback);
    const piece = bytesOf(chunk, encoding);
    const heard = typeof encoding === 'function' ? encoding : callback;
    if (heard) process.nextTick(heard);
    if (this.#whole) this.#whole.pieces.push(piece);
    return this.#whole ? true : this.#compress(piece);
  }

  end(chunk, encoding, callback) {
    if (!this.#whole && !this.#compressor) return super.end(chunk, encoding, callback);
    const heard = [chunk, encoding, callback].find((one) => typeof one === 'function');
    if (heard) this.once('finish', heard);
    if (chunk !== null && chunk !== undefined && chunk !== heard) this.write(chunk, encoding);
    if (this.#ended) return this;
    this.#ended = true;
    this.#encoding = true;
    if (this.#whole) this.#finish();
    else if (!this.#waiting) this.#compressor.stream.end();
    return this;
  }

  get writableEnded() {
    return this.#ended || super.writableEnded;
  }

  get writableLength() {
    return super.writableLength + (this.#compressor?.stream.writableLength ?? 0);
  }

  /** Call once all that was written has been handed to the socket, which what is being compressed has not. */
  whenEncoded(call) {
    if (this.#encoding) this.once(ENCODED, call);
    else call();
  }

  #send({ status, message, headers }) {
    return message === undefined
      ? super.writeHead(status, headers)
      : super.writeHead(status, message, headers);
  }

  #encode(headers, coding) {
    headers['content-encoding'] = coding;
    delete headers['content-length'];
    this.removeHeader('content-length');
    this.#weaken(headers);
  }

  #weaken(headers) {
    const tag = headers.etag ?? this.getHeader('etag');
    if (tag !== undefined) headers.etag = weak(tag);
  }

  #finish() {
    const { coding, pieces, ...head } = this.#whole;
    const plain = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    const finish = (body) => {
      this.#whole = undefined;
      if (!this.destroyed) {
        if (body !== plain) this.#encode(head.headers, coding);
        head.headers['content-length'] = body.length;
        this.#send(head);
        super.end(body);
      }
      this.#done();
    };
    if (this.session?.secret) finish(plain);
    else compressWhole(coding, plain, finish);
  }

  /** Connect a compressor with the socket, so that neither holds more than it must. */
  #pipe(compressor) {
    const { stream } = compressor;
    let begun = false;
    this.#compressor = compressor;
    stream.on('data', (piece) => {
      const taken = super.write(begun ? piece : Buffer.concat([compressor.head, piece]));
      begun = true;
      if (taken) return;
      stream.pause();
      this.once('drain', () => stream.resume());
    });
    stream.on('drain', () => this.emit('drain'));
    stream.on('error', (error) => this.destroy(error));
    stream.on('end', () => {
      super.end(compressor.tail);
      this.#done();
    });
    this.once('close', () => stream.destroy());
  }

  #done() {
    this.#encoding = false;
    this.emit(ENCODED);
  }

  #compress(piece) {
    if (this.#waiting) {
      this.#waiting.push(piece);
      return false;
    }
    if (!this.session?.secret || this.#leftOff) return this.#compressor.write(piece);
    this.#leftOff = true;
    this.#waiting = [piece];
    this.#compressor.leaveOff(() => {
      const pieces = this.#waiting;
      this.#waiting = undefined;
      this.#compressor.write(Buffer.concat(pieces));
      if (this.#ended) this.#compressor.stream.end();
      this.emit('drain');
    });
    return false;
  }
}

/** @param {string} tag  quoted entity tag */
export const weak = (tag) => (tag.startsWith('W/') ? tag : `W/${tag}`);

/**
 * If-None-Match without what weakens its members: they are compared weakly (RFC 9110, 13.1.2), and behind the
 * door no tag is weak.
 * @param {string} named
 */
export const strongly = (named) => named.replace(/(^|,\s*)W\/(?=")/g, '$1');

/** Whether a client says that it has the compressed form of an answer. */
const knowsWeak = (named, tag) => named !== undefined && tag !== undefined && named.includes(weak(tag));

function varying(named) {
  const members = String(named ?? '');
  if (members === '*' || /(?:^|,)\s*accept-encoding\s*(?:,|$)/i.test(members)) return members;
  return members ? `${members}, accept-encoding` : 'accept-encoding';
}

const bytesOf = (chunk, encoding) =>
  typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : chunk;
