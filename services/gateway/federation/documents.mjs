/**
 * Remembers documents that were parsed and validated, and texts that are none, within a bound of characters.
 *
 * The runtime would keep a thousand of each for an hour, however long they are: hundreds of megabytes, which
 * anybody could fill without a key. So this takes the place of the runtime's own memory.
 */
import { LRUCache } from 'lru-cache';
import { brokenLimit, parseWithinLimits } from './document_limits.mjs';

/** A character takes about a hundred bytes once it is parsed. */
export const MAX_DOCUMENT_CHARACTERS = 300_000;
/** What is no document is remembered by its text and one error. */
export const MAX_REFUSED_CHARACTERS = 300_000;
const MAX_COUNT = 1024;

/** Texts and what came of them; the longer they are, the fewer. */
export const rememberTexts = (maxSize) =>
  new LRUCache({ max: MAX_COUNT, maxSize, sizeCalculation: (_, text) => text.length + 1 });

/** @returns {import('@graphql-hive/gateway-runtime').GatewayPlugin} parses and validates within the limits */
export function useDocuments() {
  const documents = rememberTexts(MAX_DOCUMENT_CHARACTERS);
  const refused = rememberTexts(MAX_REFUSED_CHARACTERS);
  /** By the documents themselves, so that none is kept that is not kept above. */
  const validated = new WeakMap();

  return {
    onPluginInit({ plugins }) {
      const own = plugins.filter(isRuntimeMemory);
      if (own.length !== 1) throw new Error(`the runtime has ${own.length} memories of documents, not one`);
      plugins.splice(plugins.indexOf(own[0]), 1);
    },
    onParse({ params, setParseFn, setParsedDocument }) {
      const text = params.source.toString();
      const known = documents.get(text);
      if (known) {
        setParsedDocument(known);
        return undefined;
      }
      const error = refused.get(text);
      if (error) throw error;
      setParseFn(parseWithinLimits);
      return ({ result }) => {
        if (result) (result instanceof Error ? refused : documents).set(text, result);
      };
    },
    onValidate({ params, setResult, setValidationFn, validateFn }) {
      const bySchema = validated.get(params.schema) ?? new WeakMap();
      validated.set(params.schema, bySchema);
      const known = bySchema.get(params.documentAST);
      if (known) {
        setResult(known);
        return undefined;
      }
      setValidationFn((schema, document, ...rest) => {
        const broken = brokenLimit(document);
        return broken ? [broken] : validateFn(schema, document, ...rest);
      });
      return ({ result }) => {
        if (result) bySchema.set(params.documentAST, result);
      };
    },
  };
}

/** Whether a plugin is the runtime's memory: it has no name, and does nothing but parse and validate. */
const isRuntimeMemory = (plugin) =>
  plugin && Object.keys(plugin).sort().join() === 'onParse,onValidate' && !plugin.pluginName;
