/** What Prometheus may read at the private port. Labels are bounded: never a path, a name or a key. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The label that a method is counted under: there are dozens that Node takes, and every label is kept for ever.
 * @param {string} method
 */
export const countedAs = (method) => (METHODS.has(method) ? method : 'other');

/** @returns a registry and the gateway's own metrics */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    /** route: graphql | proxy | closed */
    requests: new Counter({
      name: 'hearthforge_gateway_requests_total',
      help: 'HTTP requests answered at the public port',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    duration: new Histogram({
      name: 'hearthforge_gateway_request_seconds',
      help: 'Time to answer an HTTP request, streams included',
      labelNames: ['route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    operations: new Counter({
      name: 'hearthforge_gateway_operations_total',
      help: 'GraphQL operations that were let through',
      labelNames: ['type', 'transport'],
      registers,
    }),
    refused: new Counter({
      name: 'hearthforge_gateway_refused_total',
      help: 'GraphQL requests refused before they ran',
      labelNames: ['code'],
      registers,
    }),
    sockets: new Gauge({
      name: 'hearthforge_gateway_websockets',
      help: 'Open WebSockets',
      registers,
    }),
    streams: new Gauge({
      name: 'hearthforge_gateway_subgraph_streams',
      help: 'Live streams of events from a subgraph',
      labelNames: ['subgraph'],
      registers,
    }),
    upstream: new Histogram({
      name: 'hearthforge_gateway_subgraph_seconds',
      help: 'Time until a subgraph began to answer',
      labelNames: ['subgraph'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 10],
      registers,
    }),
  };
}
