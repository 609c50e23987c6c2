/**
 * What an operation costs, from its text and variables alone, before anything is executed.
 *
 * - A field that gives an object, interface or union, or a list of them: 1, plus its selections.
 * - A field with a `first` or `last` argument: 1, plus its selections times that argument; without a value,
 *   times the argument's default, else times 20. This is how connections are counted; their `edges` and
 *   `nodes` are not multiplied again.
 * - A field that gives a scalar or an enum: nothing.
 * - A field of the mutation root: 10 more, because it writes.
 * - A field that works harder than its place in the answer shows: what prices.json says, plus its selections.
 *   Prices are measured: processor time of all processes, at 3 ms a point. That of an interface's field is the
 *   price of the same field of each type that implements it.
 * - Introspection (`__schema`, `__type`): its price in all, because no service is asked.
 * - Selections under `@skip(if: true)` or `@include(if: false)`: nothing.
 * - Every operation: 1 at least.
 *
 * How long a list without `first` is shows when it is there: what an answer has needed beyond its price is
 * charged afterwards (`workCost`), so that the bucket knows of it.
 *
 * Fragments of several types of one interface are added up, although an object can be only one of them.
 * Call it for documents within the limits of document_limits.mjs only: they bound the walk to 500 fields.
 */
import { readFileSync } from 'node:fs';
import { getNamedType, isCompositeType, Kind, typeFromAST } from 'graphql';

const DEFAULT_PAGE = 20;
const MUTATION = 10;
/** Points by field, `Type.field`. */
export const PRICES = JSON.parse(readFileSync(new URL('prices.json', import.meta.url), 'utf8'));
/** Of a subgraph's answer: what one point pays for, to be written, read, merged and sent. */
const CHARACTERS_PER_POINT = 8192;

/**
 * @param {object} operation
 * @param {import('graphql').GraphQLSchema} operation.schema
 * @param {import('graphql').DocumentNode} operation.document
 * @param {string | null | undefined} operation.operationName
 * @param {Record<string, unknown> | null | undefined} operation.variables
 * @returns {number}
 */
export function operationCost({ schema, document, operationName, variables }) {
  const fragments = new Map();
  let operation;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    else if (definition.kind === Kind.OPERATION_DEFINITION) {
      if (!operationName || definition.name?.value === operationName) operation ??= definition;
    }
  }
  const root = operation && schema.getRootType(operation.operation);
  if (!root) return 1;
  const values = withDefaults(operation, variables);
  const perField = operation.operation === 'mutation' ? MUTATION : 0;

  function selectionCost(selectionSet, parent, surcharge = 0) {
    let cost = 0;
    for (const selection of selectionSet.selections) {
      if (isSkipped(selection, values)) continue;
      if (selection.kind === Kind.FIELD) {
        cost += surcharge + fieldCost(selection, parent);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const type = selection.typeCondition ? typeFromAST(schema, selection.typeCondition) : parent;
        cost += selectionCost(selection.selectionSet, type, surcharge);
      } else {
        const fragment = fragments.get(selection.name.value);
        cost += selectionCost(fragment.selectionSet, typeFromAST(schema, fragment.typeCondition), surcharge);
      }
    }
    return cost;
  }

  function fieldCost(field, parent) {
    const name = field.name.value;
    const price = priceOf(parent, name);
    if (name.startsWith('__')) return name === '__typename' ? 0 : (price ?? 1);
    const definition = parent.getFields?.()[name];
    const type = definition && getNamedType(definition.type);
    if (!isCompositeType(type) || !field.selectionSet) return price ?? 0;
    return (price ?? 1) + pageSize(definition, field, values) * selectionCost(field.selectionSet, type);
  }

  return Math.max(1, selectionCost(operation.selectionSet, root, perField));
}

/**
 * What the services have done for an operation, as far as their answers show it.
 * @param {{ requests: number, characters: number }} work
 * @returns {number} points
 */
export const workCost = ({ requests, characters }) => requests + Math.floor(characters / CHARACTERS_PER_POINT);

/** The price of a field, or of that field of an interface of its type. */
function priceOf(type, name) {
  const types = [type, ...(type.getInterfaces?.() ?? [])];
  return types.map((one) => PRICES[`${one.name}.${name}`]).find((price) => price !== undefined);
}

/** How many objects a field may give: 1 unless it is paged. */
function pageSize(definition, field, values) {
  const paging = definition.args.filter(({ name }) => name === 'first' || name === 'last');
  if (paging.length === 0) return 1;
  const asked = paging.map((argument) => {
    const given = field.arguments?.find(({ name }) => name.value === argument.name);
    return given ? literal(given.value, values) : argument.defaultValue;
  });
  const sizes = asked.filter((size) => Number.isFinite(size) && size >= 0);
  return sizes.length > 0 ? Math.max(...sizes) : DEFAULT_PAGE;
}

function withDefaults(operation, variables) {
  const values = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    if (variables && Object.hasOwn(variables, name)) values[name] = variables[name];
    else if (defaultValue) values[name] = literal(defaultValue, {});
  }
  return values;
}

function literal(node, values) {
  switch (node.kind) {
    case Kind.VARIABLE:
      return values[node.name.value];
    case Kind.INT:
      return Number(node.value);
    case Kind.BOOLEAN:
      return node.value;
    default:
      return undefined;
  }
}

function isSkipped(selection, values) {
  return (selection.directives ?? []).some((directive) => {
    const wanted = { skip: true, include: false }[directive.name.value];
    if (wanted === undefined) return false;
    const condition = directive.arguments?.find(({ name }) => name.value === 'if');
    return condition !== undefined && literal(condition.value, values) === wanted;
  });
}
