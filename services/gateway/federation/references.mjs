/**
 * References to what is no longer there.
 *
 * A roll, a scene or a map names entities of other services by their ids, and keeps them when these are deleted.
 * The service that owns an entity answers null for an id it does not know, or that is not the viewer's to know
 * of: the reference is then null, which every field that refers to another service's entity may be. The runtime
 * however makes an entity of the id alone, and complains of the first field that is missing of it. Such a
 * complaint tells a client nothing that the null does not; it is no error.
 */
import { Kind, parse } from 'graphql';

const MISSING = /^Cannot return null for non-nullable field (\w+)\.\w+\.$/;

/**
 * The entities of a supergraph: the types that services know by a key.
 * @param {string} supergraph  SDL
 * @returns {Set<string>} their names
 */
export function entityNames(supergraph) {
  const keyed = ({ name, arguments: given }) =>
    name.value === 'join__type' && given.some((argument) => argument.name.value === 'key');
  const types = parse(supergraph, { noLocation: true }).definitions.filter(
    ({ kind, directives }) => kind === Kind.OBJECT_TYPE_DEFINITION && directives.some(keyed),
  );
  return new Set(types.map(({ name }) => name.value));
}

/**
 * Leave out of a result the complaints about entities that are not there. What a service said itself stays: it
 * has a code.
 * @template {{ errors?: readonly import('graphql').GraphQLError[] }} Result
 * @param {Set<string>} entities
 * @param {Result} result
 * @returns {Result}
 */
export function withoutDangling(entities, result) {
  if (!result?.errors) return result;
  const errors = result.errors.filter((error) => !isDangling(entities, error));
  if (errors.length === result.errors.length) return result;
  const { errors: _, ...answer } = result;
  return errors.length ? { ...answer, errors } : answer;
}

function isDangling(entities, { message, path, extensions }) {
  const [, type] = (path && !extensions?.code && MISSING.exec(message)) || [];
  return entities.has(type);
}
