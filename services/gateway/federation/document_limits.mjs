/**
 * How large a query may be: the gateway refuses before it validates, plans or executes.
 *
 * Everything is counted as if fragments were written out, but each fragment is walked once and its counts are
 * reused: 25 fragments that each spread the next one twice stand for 2^25 fields and still take microseconds.
 */
import { BREAK, GraphQLError, Kind, parse, visit } from 'graphql';
import { codedError } from './errors.mjs';

export const MAX_TOKENS = 2000;
export const MAX = Object.freeze({
  depth: 12,
  aliases: 30,
  directives: 10,
  rootFields: 20,
  fields: 500,
});
/** As they are written, of all definitions: validation holds each of a selection beside each other one. */
export const MAX_SPREADS = 50;
/** Those that nothing spreads are validated too. */
const MAX_FRAGMENTS = 50;
/** Introspection nests deeper than any table does (GraphiQL's own query: 14 levels) and costs no service a call. */
const MAX_INTROSPECTION_DEPTH = 24;

const NAMES = {
  depth: 'levels',
  aliases: 'aliases',
  directives: 'directives',
  rootFields: 'root fields',
  fields: 'fields',
};

/** No number of ours is longer; what is would become Infinity on the way. */
export const MAX_DIGITS = 64;

const tooLarge = (limit, allowed, message) =>
  codedError('QUERY_TOO_LARGE', message, { status: 400, limit, allowed });

/**
 * Parse with a bound on tokens.
 * @param {string | import('graphql').Source} source
 * @param {import('graphql').ParseOptions} [options]
 */
export function parseWithinLimits(source, options) {
  try {
    return parse(source, { ...options, maxTokens: MAX_TOKENS });
  } catch (error) {
    if (/contains more tha[nt] \d+ tokens/.test(error.message)) {
      throw tooLarge('tokens', MAX_TOKENS, `The query has more than ${MAX_TOKENS} tokens.`);
    }
    throw error;
  }
}

/**
 * The first limit that a document breaks, if any.
 * @param {import('graphql').DocumentNode} document
 * @returns {GraphQLError | undefined}
 */
export function brokenLimit(document) {
  const fragments = new Map();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const counted = new Map();
  if (hasLongNumber(document))
    return tooLarge('digits', MAX_DIGITS, `A number has more than ${MAX_DIGITS} digits.`);
  if (fragments.size > MAX_FRAGMENTS) {
    return tooLarge('fragments', MAX_FRAGMENTS, `The document has more than ${MAX_FRAGMENTS} fragments.`);
  }
  if (spreadsIn(document) > MAX_SPREADS) {
    return tooLarge('spreads', MAX_SPREADS, `The document has more than ${MAX_SPREADS} fragment spreads.`);
  }
  let fields = 0;
  try {
    // Fragments first: a cycle among unused ones is refused as well.
    for (const name of fragments.keys()) countFragment(name, fragments, counted);
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const found = count(definition, fragments, counted);
      // Every operation of a document is validated, whichever of them is to run.
      fields += found.fields;
      found.fields = fields;
      found.directives += definition.directives.length;
      found.directives += sum(definition.variableDefinitions, (variable) => variable.directives.length);
      for (const limit of Object.keys(MAX)) {
        if (found[limit] > MAX[limit]) {
          return tooLarge(limit, MAX[limit], `The query has more than ${MAX[limit]} ${NAMES[limit]}.`);
        }
      }
    }
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
  return undefined;
}

/**
 * The fields that an operation begins with, those of its fragments among them.
 * @param {import('graphql').DocumentNode} document
 * @param {import('graphql').OperationDefinitionNode} operation
 * @returns {string[]}
 */
export function rootFieldNames(document, operation) {
  const fragments = new Map(
    document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]),
  );
  const names = new Set();
  const open = [operation];
  for (const node of open) {
    for (const selection of node?.selectionSet.selections ?? []) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) open.push(selection);
      else {
        open.push(fragments.get(selection.name.value));
        fragments.delete(selection.name.value);
      }
    }
  }
  return [...names];
}

/** Counts of one selection set, `rootFields` being the fields at its own level. */
function count(node, fragments, counted) {
  const total = { ...NOTHING };
  for (const selection of node.selectionSet?.selections ?? []) {
    total.directives += selection.directives?.length ?? 0;
    if (selection.kind === Kind.FIELD) {
      const inner = count(selection, fragments, counted);
      total.rootFields += 1;
      total.fields += 1;
      total.aliases += selection.alias ? 1 : 0;
      total.depth = Math.max(total.depth, 1 + depthBelow(selection, inner));
      for (const limit of SUMMED) total[limit] += inner[limit];
    } else {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? countFragment(selection.name.value, fragments, counted)
          : count(selection, fragments, counted);
      total.rootFields += inner.rootFields;
      total.depth = Math.max(total.depth, inner.depth);
      for (const limit of SUMMED) total[limit] += inner[limit];
    }
  }
  return total;
}

function depthBelow(field, inner) {
  if (!field.name.value.startsWith('__')) return inner.depth;
  if (inner.depth > MAX_INTROSPECTION_DEPTH) {
    throw tooLarge(
      'depth',
      MAX_INTROSPECTION_DEPTH,
      `Introspection may nest ${MAX_INTROSPECTION_DEPTH} levels.`,
    );
  }
  return 0;
}

const WALKING = Symbol('walking');
const NOTHING = { depth: 0, aliases: 0, directives: 0, rootFields: 0, fields: 0 };
/** What selections of all levels add up to, whatever lies between them. */
const SUMMED = ['aliases', 'directives', 'fields'];

function countFragment(name, fragments, counted) {
  const known = counted.get(name);
  if (known === WALKING) {
    throw codedError('FRAGMENT_CYCLE', `The fragment "${name}" contains itself.`, { status: 400 });
  }
  if (known) return known;
  const fragment = fragments.get(name);
  if (!fragment) return NOTHING; // validation names the missing fragment
  counted.set(name, WALKING);
  const total = count(fragment, fragments, counted);
  total.directives += fragment.directives?.length ?? 0;
  counted.set(name, total);
  return total;
}

function spreadsIn(document) {
  let found = 0;
  visit(document, {
    FragmentSpread() {
      found += 1;
      return found > MAX_SPREADS ? BREAK : undefined;
    },
  });
  return found;
}

function hasLongNumber(document) {
  if (!LONG_NUMBER.test(document.loc?.source.body ?? '')) return false; // the common case; strings may match
  let found = false;
  const look = ({ value }) => {
    found = LONG_NUMBER.test(value);
    return found ? BREAK : undefined;
  };
  visit(document, { IntValue: look, FloatValue: look });
  return found;
}

const LONG_NUMBER = new RegExp(`\\d{${MAX_DIGITS + 1}}`);

const sum = (list, of) => (list ?? []).reduce((total, item) => total + of(item), 0);
