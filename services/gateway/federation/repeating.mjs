/**
 * Which operations may be run again though they may have been run: those that only read, and mutations all of
 * whose fields have an idempotency key, by which the service finds what it did.
 */
import { getOperationAST, Kind } from 'graphql';

const KEY = 'idempotencyKey';

/**
 * @param {{ document: import('graphql').DocumentNode, operationName?: string, variables?: Record<string, any> }} request
 *   as it goes to one service
 * @returns {boolean}
 */
export function isRepeatable({ document, operationName, variables = {} }) {
  const operation = getOperationAST(document, operationName);
  if (!operation) return false;
  if (operation.operation !== 'mutation') return true;
  return operation.selectionSet.selections.every(
    (field) =>
      field.kind === Kind.FIELD &&
      (field.name.value === '__typename' || field.arguments?.some((argument) => holdsKey(argument, variables))),
  );
}

/** Whether an argument is a key, or an object that holds one. */
function holdsKey({ name, value }, variables) {
  if (name.value === KEY) return isGiven(value, variables);
  if (value.kind === Kind.VARIABLE) return variables[value.name.value]?.[KEY] != null;
  if (value.kind !== Kind.OBJECT) return false;
  return value.fields.some((field) => field.name.value === KEY && isGiven(field.value, variables));
}

function isGiven(value, variables) {
  if (value.kind === Kind.VARIABLE) return variables[value.name.value] != null;
  return value.kind === Kind.STRING;
}
