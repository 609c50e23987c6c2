/**
 * How many values a body of JSON may hold, counted on its bytes before anything is made of them.
 *
 * The time that a body takes grows with its values, not with its bytes: each is read, checked and converted in every
 * part that it passes. What an operation may hold stands in limits.json, by the root field of the graph;
 * services/shared/limits/values.py counts and bounds in the same way.
 *
 * @typedef {{ elements: number, keys: number }} Values  of all lists, and of all objects
 */
import { LIMITS } from './config.mjs';

const USUAL = LIMITS.values;
const BY_OPERATION = new Map(Object.entries(LIMITS.valuesOf));

/** What any body may hold, whatever it is for. @type {Values} */
export const MOST = largest([USUAL, ...BY_OPERATION.values()]);

/**
 * What a body may hold that is for these root fields, all of them together.
 * @param {string[]} fields
 * @returns {Values}
 */
export const valuesOf = (fields) =>
  largest(fields.length > 0 ? fields.map((name) => BY_OPERATION.get(name) ?? USUAL) : [USUAL]);

/** @param {Values[]} all */
function largest(all) {
  return {
    elements: Math.max(...all.map(({ elements }) => elements)),
    keys: Math.max(...all.map(({ keys }) => keys)),
  };
}

/**
 * Which number is larger than allowed, if one is, and what to say of it.
 * @param {Values} found
 * @param {Values} allowed
 * @returns {{ limit: 'elements' | 'keys', allowed: number, message: string } | undefined}
 */
export function beyond(found, allowed) {
  const limit = ['elements', 'keys'].find((name) => found[name] > allowed[name]);
  if (limit === undefined) return undefined;
  const what = { elements: 'elements in all its lists', keys: 'members in all its objects' }[limit];
  const most = allowed[limit];
  return { limit, allowed: most, message: `The body may have ${most.toLocaleString('en-US')} ${what} together.` };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const isBlank = (byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const isOpening = (byte) => byte === 0x5b || byte === 0x7b; // [ {
const isClosing = (byte) => byte === 0x5d || byte === 0x7d; // ] }
const isDigit = (byte) => byte >= 0x30 && byte <= 0x39;

/**
 * Look at JSON outside of its strings once, without building anything.
 * @param {Buffer} bytes  what is no JSON has numbers that mean nothing, and no parser takes it
 * @returns {Values & { depth: number, digits: number }} also the deepest nesting and the longest run of digits
 */
export function scanJson(bytes) {
  const seen = { depth: 0, digits: 0, commas: 0, keys: 0, filled: 0 };
  let depth = 0;
  let digits = 0;
  let quoted = false;
  let opened = false; // nothing has come since the last opening bracket
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (quoted) {
      if (byte === BACKSLASH) index += 1; // what follows is not a delimiter
      else if (byte === QUOTE) quoted = false;
      continue;
    }
    if (isBlank(byte)) {
      digits = 0;
      continue;
    }
    if (opened && !isClosing(byte)) seen.filled += 1;
    opened = isOpening(byte);
    digits = isDigit(byte) ? digits + 1 : 0;
    if (digits > seen.digits) seen.digits = digits;
    if (opened) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    else if (byte === QUOTE) quoted = true;
    else if (byte === COMMA) seen.commas += 1;
    else if (byte === COLON) seen.keys += 1;
    if (depth > seen.depth) seen.depth = depth;
  }
  // Between n values of a list or an object stand n - 1 commas.
  const { keys, commas, filled } = seen;
  return { elements: commas + filled - keys, keys, depth: seen.depth, digits: seen.digits };
}
