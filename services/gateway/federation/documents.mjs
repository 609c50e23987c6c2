/**
 * Remembers documents that were parsed and validated, and texts that are none, within a bound of characters.
 *
 * The runtime would keep a thousand of each for an hour, however long they are: with texts of 64 Ki characters
 * that is hundreds of megabytes, which anybody could fill without a key.
 */
import { LRUCache } from 'lru-cache';

/** A character takes about a hundred bytes once it is parsed, and validated documents are few and short. */
export const MAX_DOCUMENT_CHARACTERS = 300_000;
/** What is no document is remembered by its text and one error. */
export const MAX_REFUSED_CHARACTERS = 300_000;
const MAX_COUNT = 1024;
const KEPT_MS = 600_000;

const byLength = (maxSize) =>
  new LRUCache({ max: MAX_COUNT, maxSize, sizeCalculation: (_, text) => text.length + 1, ttl: KEPT_MS });

/** @returns what the runtime takes as `parserAndValidationCache` */
export function createDocumentCaches() {
  return {
    documentCache: byLength(MAX_DOCUMENT_CHARACTERS),
    errorCache: byLength(MAX_REFUSED_CHARACTERS),
    // By the documents themselves, so it keeps none that is not kept above.
    validationCache: true,
  };
}
